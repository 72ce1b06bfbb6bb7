"""Where a sent form goes on, for a browser and for a script."""


def test_a_script_is_told_what_a_browser_is_led_to(client):
    led = client.post("/studies", {"name": "Birds"})
    assert (led.status_code, led.headers["Location"]) == (302, "/studies/1/sketches/")
    told = client.post("/studies", {"name": "Cars"}, headers={"Accept": "application/json"})
    assert (told.status_code, told.json) == (200, {"location": "/studies/2/sketches/"})
    assert "Location" not in told.headers
    refused = client.post("/studies", {"name": "Cars"}, headers={"Accept": "application/json"})
    assert refused.status_code == 400
    assert "Cars" in refused.json["error"]
