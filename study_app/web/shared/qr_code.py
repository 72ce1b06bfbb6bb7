"""An address as a QR code for a page."""

import base64
import io


def qr_code(address: str) -> str:
    """The address as a QR code, an SVG in a data: address."""
    import qrcode
    from qrcode.image.svg import SvgPathImage

    drawn = io.BytesIO()
    qrcode.make(address, image_factory=SvgPathImage, border=4).save(drawn)
    return "data:image/svg+xml;base64," + base64.b64encode(drawn.getvalue()).decode()
