-- All of several puts and deletes, or none.
-- ARGV from 4: token, then per write: namespace, key, value ('' deletes), expected ('' = any),
-- ttl in ms (0 = none), author JSON.
-- Returns {1, version...}, or {0, number of the write that conflicts, version found}.

-- A client whose connection broke sends the same call again: it gets the first answer, not a
-- conflict with itself. Only compare-and-set needs this, and only it passes a token.
local token = ARGV[4]
local answer_key = P .. ':t:' .. token
if token ~= '' then
  local answer = redis.call('GET', answer_key)
  if answer then return cmsgpack.unpack(answer) end
end

-- Each write is six arguments from here on.
for at = 5, #ARGV, 6 do
  local expected = ARGV[at + 3]
  if expected ~= '' then
    local item = load(ARGV[at], ARGV[at + 1])
    local found = item and item.version or 0
    if found ~= tonumber(expected) then return {0, (at - 5) / 6 + 1, found} end
  end
end

local function put(old, namespace, key, value, ttl_ms, version)
  save(namespace, key, {
    created = old and old.created or digits(now_us), updated = digits(now_us),
    version = version, expiry = ttl_ms > 0 and now_ms + ttl_ms or 0, ttl = ttl_ms,
    value = value,
  })
  if not old then enlist(namespace, key) end
end

local answer, emptied = {1}, {}
for at = 5, #ARGV, 6 do
  local namespace, key, value = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local old, version = load(namespace, key), 0
  if old or value ~= '' then
    version = redis.call('INCR', P .. ':seq')
    remember(namespace, key, version, digits(now_us), ARGV[at + 5], value, not old)
    if old and old.expiry > 0 then never_expire(namespace, key) end
    if value == '' then
      remove(namespace, key)
      emptied[#emptied + 1] = namespace
    else
      put(old, namespace, key, value, tonumber(ARGV[at + 4]), version)
    end
  end
  answer[#answer + 1] = version
end
-- Only now, so that a namespace emptied and filled again in one commit keeps its place.
for _, namespace in ipairs(emptied) do drop_if_empty(namespace) end
if token ~= '' then redis.call('SET', answer_key, cmsgpack.pack(answer), 'EX', 60) end
return answer
