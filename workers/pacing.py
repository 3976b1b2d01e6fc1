"""How fast one installation may create content on GitHub, counted for all processes together."""

from __future__ import annotations

import uuid

import redis

from workers.errors import RateLimited

CONTENT_PER_MINUTE = 80
CONTENT_PER_HOUR = 500
"""GitHub's documented secondary limits on requests that create content."""

_MINUTE_MS = 60_000
_HOUR_MS = 3_600_000

# Redis' own clock is used, so that machines need not agree on the time.
_TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local wanted, prefix = tonumber(ARGV[1]), ARGV[2]
local wait, longest = 0, 0
for at = 3, #ARGV, 2 do
  local span, most = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  longest = math.max(longest, span)
  local opened = '(' .. (now - span)
  local over = redis.call('ZCOUNT', KEYS[1], opened, '+inf') + wanted - most
  if over > 0 then
    local last = redis.call('ZRANGEBYSCORE', KEYS[1], opened, '+inf', 'WITHSCORES',
                            'LIMIT', over - 1, 1)
    wait = math.max(wait, tonumber(last[2]) + span - now)
  end
end
if wait > 0 then return wait end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - longest)
for item = 1, wanted do redis.call('ZADD', KEYS[1], now, prefix .. ':' .. item) end
redis.call('PEXPIRE', KEYS[1], longest)
return 0
"""


class Pacing:
    """A sliding window of a minute and one of an hour per installation, in Redis."""

    def __init__(
        self,
        store: redis.Redis,
        *,
        per_minute: int = CONTENT_PER_MINUTE,
        per_hour: int = CONTENT_PER_HOUR,
    ) -> None:
        self._most = min(per_minute, per_hour)
        self._windows = (_MINUTE_MS, per_minute, _HOUR_MS, per_hour)
        self._take = store.register_script(_TAKE)

    def take(self, installation_id: int, n: int = 1) -> None:
        """Count `n` (at least 1) creations that are about to happen.

        Raises RateLimited with the seconds until there is room; then nothing was counted.
        """
        if not 1 <= n <= self._most:
            raise ValueError(f"n must be from 1 to {self._most}, not {n}")
        wait_ms = int(
            self._take(
                keys=[f"precedent:pacing:{installation_id}"],
                args=[n, uuid.uuid4().hex, *self._windows],
            )
        )
        if wait_ms > 0:
            raise RateLimited(
                "This installation has written as much as GitHub allows for now.",
                retry_after_s=wait_ms / 1000,
                reason="github_pacing",
            )
