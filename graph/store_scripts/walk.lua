-- One page of all items below a namespace prefix, ordered by namespace, then insert.
-- ARGV from 4: prefix, creation number and insert number to continue after, items to skip, page
-- size, '1' to renew times to live.
-- Returns {creation number, insert number, packed items...} of the page's last item; a shorter page
-- is the last. Numbers, unlike offsets, stay right while others write.
local prefix, after_namespace, after_item = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local skip, size, is_refreshing = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1'
local wanted = size

-- True when the page is full.
local function visit(namespace, number)
  local order = P .. ':o:' .. namespace
  local from = number == after_namespace and '(' .. digits(after_item) or '-inf'
  if skip > 0 then
    local count = redis.call('ZCOUNT', order, from, '+inf')
    if count <= skip then
      skip = skip - count
      return false
    end
  end
  local page = redis.call('ZRANGEBYSCORE', order, from, '+inf', 'WITHSCORES', 'LIMIT', skip, wanted)
  skip = 0
  local keys = {}
  for at = 1, #page, 2 do
    keys[#keys + 1] = page[at]
    after_namespace, after_item = number, tonumber(page[at + 1])
  end
  pack_items(namespace, keys, is_refreshing)
  wanted = wanted - #keys
  return wanted == 0
end

if prefix == '' then
  local first = after_namespace
  local is_done = false
  while not is_done do
    local some = redis.call('ZRANGEBYSCORE', P .. ':nz', digits(first), '+inf', 'WITHSCORES',
      'LIMIT', 0, 200)
    for at = 1, #some, 2 do
      is_done = is_done or visit(some[at], tonumber(some[at + 1]))
    end
    if #some < 400 then break end
    first = tonumber(some[#some]) + 1
  end
else
  local below = {}
  for _, namespace in ipairs(redis.call('ZRANGEBYLEX', P .. ':ns', '[' .. prefix,
    '(' .. prefix .. '\255')) do
    local number = tonumber(redis.call('ZSCORE', P .. ':nz', namespace))
    if number >= after_namespace then below[#below + 1] = {namespace, number} end
  end
  table.sort(below, function(a, b) return a[2] < b[2] end)
  for _, entry in ipairs(below) do
    if visit(entry[1], entry[2]) then break end
  end
end
return {digits(after_namespace), digits(after_item), packed()}
