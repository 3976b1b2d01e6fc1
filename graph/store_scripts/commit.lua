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

local function each(act)
  for at = 5, #ARGV, 6 do
    local stop = act((at - 5) / 6 + 1, ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3],
      tonumber(ARGV[at + 4]), ARGV[at + 5])
    if stop then return stop end
  end
end

local conflict = each(function(number, namespace, key, _, expected)
  if expected == '' then return nil end
  local item = load(namespace, key)
  local found = item and item.version or 0
  if found ~= tonumber(expected) then return {0, number, found} end
end)
if conflict then return conflict end

local answer = {1}
each(function(_, namespace, key, value, _, ttl_ms, author)
  local old = load(namespace, key)
  if value == '' and not old then
    answer[#answer + 1] = 0
    return nil
  end
  local version = redis.call('INCR', P .. ':seq')
  remember(namespace, key, version, digits(now_us), author, value, not old)
  if old and old.expiry > 0 then never_expire(namespace, key) end
  if value == '' then
    remove(namespace, key)
  else
    save(namespace, key, {
      created = old and old.created or digits(now_us), updated = digits(now_us),
      version = version, expiry = ttl_ms > 0 and now_ms + ttl_ms or 0, ttl = ttl_ms,
      value = value,
    })
    if not old then enlist(namespace, key) end
  end
  answer[#answer + 1] = version
end)
-- Only now, so that a namespace emptied and filled again in one commit keeps its place.
each(function(_, namespace, _, value)
  if value == '' then drop_if_empty(namespace) end
end)
if token ~= '' then redis.call('SET', answer_key, cmsgpack.pack(answer), 'EX', 60) end
return answer
