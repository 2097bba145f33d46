import croupier
import pytest

DECIDED = [game["name"] for game in croupier.games() if game["decisions"]]


@pytest.fixture(params=DECIDED)
def decided(request):
    """Each game in which something is decided."""
    return request.param


@pytest.fixture(params=[game["name"] for game in croupier.games()])
def name(request):
    """Each game."""
    return request.param
