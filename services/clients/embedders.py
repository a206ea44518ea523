"""The embedder that the settings name."""

from services.clients.embedding import BundledEmbedder
from services.clients.hashing import HashingEmbedder
from services.settings import Settings


def embedder_of(settings: Settings) -> BundledEmbedder | HashingEmbedder:
    """One that is loaded with its first use; whoever asked closes it."""
    return HashingEmbedder() if settings.embedder == "hashing" else BundledEmbedder()
