-- What every script begins with. ARGV: key prefix P, thread T, ttl in seconds, T again is no part of
-- any key but those five and the index:
--   P:o:T  zset  "N<checkpoint id>", scores 0: the checkpoints, in text order within a namespace N
--   P:c:T  hash  "N<checkpoint id>" -> checkpoint record
--   P:x:T  zset  "#M:M<task>#<index>", M = "N<checkpoint id>", scores 0: the pending writes
--   P:w:T  hash  the same -> write record
--   P:b:T  hash  digest -> bytes: large values and messages, each once per thread
--   P:t    zset  T scored by the second of its last write: the threads
local P, T, TTL_S = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.replicate_commands then redis.replicate_commands() end
local ORDER, CHECKPOINTS = P .. ':o:' .. T, P .. ':c:' .. T
local INDEX, WRITES, BLOBS = P .. ':x:' .. T, P .. ':w:' .. T, P .. ':b:' .. T
local THREADS = P .. ':t'

local function writes_of(member)
  local from = #member .. ':' .. member
  local names = redis.call('ZRANGEBYLEX', INDEX, '[' .. from, '(' .. from .. '\255')
  local records = {}
  for _, name in ipairs(names) do records[#records + 1] = redis.call('HGET', WRITES, name) end
  return records
end

-- Writes whose checkpoint never comes (it was deleted a moment ago) must not stay for months.
local ORPHAN_S = 3600

local function touch()
  local now_s = tonumber(redis.call('TIME')[1])
  local lives = redis.call('EXISTS', CHECKPOINTS) == 1
  if lives then redis.call('ZADD', THREADS, now_s, T) end
  redis.call('ZREMRANGEBYSCORE', THREADS, '-inf', now_s - TTL_S)
  for _, key in ipairs({ORDER, CHECKPOINTS, INDEX, WRITES, BLOBS}) do
    redis.call('EXPIRE', key, lives and TTL_S or ORPHAN_S)
  end
end

-- Stores new blobs unless one that is needed is neither stored nor sent; returns those missing.
-- ARGV from `at`: how many are needed, their digests, how many are sent, digest and bytes of each.
-- Second return value: where the arguments go on.
local function store_blobs(at)
  local sent = {}
  local needed_end = at + tonumber(ARGV[at])
  local sent_end = needed_end + 1 + 2 * tonumber(ARGV[needed_end + 1])
  for n = needed_end + 2, sent_end, 2 do sent[ARGV[n]] = ARGV[n + 1] end
  local missing = {}
  for n = at + 1, needed_end do
    if not sent[ARGV[n]] and redis.call('HEXISTS', BLOBS, ARGV[n]) == 0 then
      missing[#missing + 1] = ARGV[n]
    end
  end
  if #missing == 0 then
    for digest, bytes in pairs(sent) do redis.call('HSET', BLOBS, digest, bytes) end
  end
  return missing, sent_end + 1
end
