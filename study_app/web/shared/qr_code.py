"""URLs as QR codes on pages."""

import base64
import io


def qr_code(address: str) -> str:
    """A URL as a QR code on white paper: a data: URL of an SVG."""
    import qrcode
    from qrcode.image.svg import SvgPathFillImage

    drawn = io.BytesIO()
    qrcode.make(address, image_factory=SvgPathFillImage, border=4).save(drawn)
    return "data:image/svg+xml;base64," + base64.b64encode(drawn.getvalue()).decode()
