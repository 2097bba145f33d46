-- Moves at tables of the web table, for wrk: each thread plays at a table of its own, one request after the
-- other. A move that is not the person's turn any more, or not yet, is answered with the present, from
-- which the next one is taken.
local seated = 0

function setup(thread)
  seated = seated + 1
  thread:set("place", seated)
end

function init(args)
  id = args[2 * place - 1]
  cookie = args[2 * place]
  version, choice, made = 0, nil, 0
end

function request()
  local headers = { ["cookie"] = cookie, ["accept"] = "application/json", ["origin"] = wrk.scheme .. "://" .. wrk.host .. ":" .. wrk.port }
  if not choice then
    return wrk.format("GET", "/table/" .. id .. "/present", headers)
  end
  headers["content-type"] = "application/x-www-form-urlencoded"
  local body = "version=" .. version .. "&nonce=w&move=" .. choice:gsub(" ", "+")
  return wrk.format("POST", "/table/" .. id .. "/move", headers, body)
end

function response(status, headers, body)
  if choice and status == 200 then made = made + 1 end
  version = body:match('"version":(%d+)') or version
  choice = body:match('name=\\"move\\" value=\\"(.-)\\"')
end

local threads = {}
local remember = setup
function setup(thread)
  remember(thread)
  table.insert(threads, thread)
end

function done(summary)
  local moves = 0
  for _, thread in ipairs(threads) do moves = moves + thread:get("made") end
  io.write(string.format("moves: %d\nseconds: %f\n", moves, summary.duration / 1000000))
end
