"""The embedder that the settings name."""

from typing import Protocol

from models.errors import InvalidInput
from services.clients.embedding import BundledEmbedder
from services.clients.hashing import HashingEmbedder
from services.ports import Embedder
from services.settings import Settings


class OpenedEmbedder(Embedder, Protocol):
    """An embedder that whoever asked for it closes."""

    async def close(self) -> None:
        """Ends threads and connections."""
        ...


def embedder_of(settings: Settings) -> OpenedEmbedder:
    """One that is loaded, or connected, with its first use."""
    match settings.embedder:
        case "bundled":
            return BundledEmbedder()
        case "hashing":
            return HashingEmbedder()
        case "openai":
            return _openai_embedder(settings)


def _openai_embedder(settings: Settings) -> OpenedEmbedder:
    # The client takes a moment to load, and most deployments need none.
    from services.clients.openai_embedding import EmbeddingServer, OpenAIEmbedder

    if settings.embedding_base_url is None or settings.embedding_model is None or settings.embedding_dimension is None:
        raise InvalidInput("set PROOFDESK_EMBEDDING_BASE_URL, _MODEL and _DIMENSION for PROOFDESK_EMBEDDER=openai")
    return OpenAIEmbedder(
        EmbeddingServer(
            base_url=settings.embedding_base_url,
            api_key=settings.embedding_api_key,
            model=settings.embedding_model,
            dimension=settings.embedding_dimension,
            input_form=settings.embedding_input,
        )
    )
