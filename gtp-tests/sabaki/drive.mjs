// Talks to an engine as the Sabaki board program does, through Sabaki's own library:
// commands in one burst, a game, synchronization by undo and replay, analysis.
//
//   node drive.mjs ENGINE [ARGUMENT...]
//
// Exits with 0 if every answer is as expected, else with 1 and a line that says what is not.

import assert from 'node:assert/strict'
import gtp from '@sabaki/gtp'

const SECONDS_MAX = 60
const VERTEX = /^([A-HJ-Z]\d+|pass|resign)$/ // Sabaki knows `pass` in lower case only
// In the order in which Sabaki takes them.
const ANALYZE = ['analyze', 'kata-analyze', 'lz-analyze']
const GENMOVE_ANALYZE = ['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze']
const CENTISECONDS = '50'

const [path, ...args] = process.argv.slice(2)
assert(path, 'usage: node drive.mjs ENGINE [ARGUMENT...]')

const controller = new gtp.Controller(path, args)
const tracker = new gtp.ControllerStateTracker(controller)

/** Sends one command, in words as in GTP; resolves to the text of a successful answer. */
async function ask(words) {
  const response = await controller.sendCommand(gtp.Command.fromString(words))
  assert(!response.error, `\`${words}\` failed: ${response.content}`)
  return response.content
}

/** Attaching an engine: Sabaki sends these without waiting for the answers. Resolves to the commands. */
async function attach() {
  const burst = ['name', 'version', 'protocol_version', 'list_commands']
  const [name, version, protocol, commands] = await Promise.all(burst.map(ask))
  assert.notEqual(name, '', 'the engine has no name')
  assert.notEqual(version, '', 'the engine has no version')
  assert.equal(protocol, '2', `protocol_version is ${protocol}, not 2`)
  // Sabaki does not trim the lines, so neither does this test.
  const listed = commands.split('\n')
  for (const needed of ['boardsize', 'clear_board', 'komi', 'play', 'genmove', 'undo']) {
    assert(listed.includes(needed), `list_commands lacks \`${needed}\``)
  }
  return listed
}

/** Black and white by turns, and an illegal move that must be refused. */
async function playGame() {
  await Promise.all(['komi 7.5', 'boardsize 9', 'clear_board'].map(ask))
  await Promise.all(['play B E5', 'play W D5'].map(ask))
  const refused = await controller.sendCommand({name: 'play', args: ['B', 'E5']})
  assert(refused.error, 'a move onto a stone was accepted')
  for (const color of ['B', 'W', 'B']) {
    const vertex = await ask(`genmove ${color}`)
    assert.match(vertex, VERTEX, `genmove ${color} answered "${vertex}"`)
    if (vertex === 'resign') return
  }
}

/** Jumping about in a game tree: the library undoes or replays, and any `?` is an error. */
async function jumpAbout() {
  const play = (color, vertex) => ({name: 'play', args: [color, vertex]})
  const game = [play('B', 'C3'), play('W', 'G7'), play('B', 'G3'), play('W', 'C7')]
  const position = {komi: 6.5, boardsize: [9, 9]}
  await tracker.sync({...position, history: game})
  await tracker.sync({...position, history: game.slice(0, 3)})
  await tracker.sync({...position, history: [...game.slice(0, 3), play('W', 'E5')]})
  await tracker.sync({komi: 7.5, boardsize: [13, 13], history: [play('B', 'K10')]})
  // The engine must have followed: the point is taken, its neighbor is not.
  const refused = await controller.sendCommand(play('W', 'K10'))
  assert(refused.error, 'after synchronization the engine has another position')
  await ask('play W K11')
}

/**
 * Reads a line of an analysis: after each `info` pairs of key and value, then `pv` and its moves and
 * nothing else. Resolves to what Sabaki shows of each move.
 */
function readInfo(line) {
  const parts = line.replace(/\s+ownership\s.*$/, '').split(/\s*info\s+/).slice(1)
  return parts.map(part => {
    const words = part.trim().split(/\s+/)
    const at = words.indexOf('pv')
    assert(at > 0 && at % 2 === 0 && at + 1 < words.length, `no pairs before a pv: "${part}"`)
    const value = key => words[words.indexOf(key) + 1]
    for (const key of ['move', 'visits', 'winrate']) {
      assert(words.indexOf(key) % 2 === 0, `no ${key} in "${part}"`)
    }
    // Sabaki tells the unit of a win rate by its decimal point.
    const winrate = value('winrate').includes('.') ? +value('winrate') * 100 : value('winrate') / 100
    assert(winrate >= 0 && winrate <= 100, `a win rate of ${winrate} % in "${part}"`)
    assert(+value('visits') > 0, `no visits in "${part}"`)
    for (const vertex of [value('move'), ...words.slice(at + 1)]) {
      assert.match(vertex, VERTEX, `"${vertex}" in a variation of "${part}"`)
    }
    return {move: value('move'), winrate}
  })
}

/** Starts a command that analyzes; `infos` fills up while `answer` is pending. */
function startAnalysis(name, color) {
  const infos = []
  let move = null
  const answer = controller.sendCommand({name, args: [color, CENTISECONDS]}, ({line}) => {
    if (line.startsWith('info ')) infos.push(readInfo(line))
    if (line.startsWith('play ')) move = line.slice('play '.length)
  })
  const checked = answer.then(response => {
    assert(!response.error, `${name} failed: ${response.content}`)
    assert(infos.length > 0 && infos.every(info => info.length > 0), `${name} shows nothing`)
    return move
  })
  return {infos, answer: checked}
}

/** An analysis goes on until the next command; genmove with analysis plays. */
async function analyze(listed) {
  const name = ANALYZE.find(name => listed.includes(name))
  const genmove = GENMOVE_ANALYZE.find(name => listed.includes(name))
  if (name === undefined || genmove === undefined) {
    console.log('sabaki: no analysis, the engine lists no commands for it')
    return
  }
  await Promise.all(['komi 6.5', 'boardsize 9', 'clear_board', 'play B E5'].map(ask))
  for (const color of ['W', 'B']) {
    const {infos, answer} = startAnalysis(name, color)
    while (infos.length < 2) await new Promise(done => setTimeout(done, 50))
    assert.equal(await ask('protocol_version'), '2', 'the command that ends an analysis fails')
    await answer
  }
  const move = await startAnalysis(genmove, 'W').answer
  assert.match(move ?? '(none)', VERTEX, `${genmove} plays "${move}"`)
  if (move !== 'resign' && move !== 'pass') {
    const refused = await controller.sendCommand({name: 'play', args: ['B', move]})
    assert(refused.error, `${genmove} did not play its ${move}`)
  }
}

async function main() {
  let stopping = false
  const failed = new Promise((_, reject) => {
    const late = () => reject(new Error(`no end after ${SECONDS_MAX} s`))
    setTimeout(late, SECONDS_MAX * 1000).unref()
    controller.on('stopped', () => stopping || reject(new Error('the engine stopped')))
    // The library lets the errors of spawn and of the pipes through, and ours on lines of an answer.
    const broken = error => new Error(`no talk with the engine: ${error.message}`)
    const isOurs = error => error instanceof assert.AssertionError
    process.on('uncaughtException', error => reject(isOurs(error) ? error : broken(error)))
  })
  const test = async () => {
    controller.start()
    const listed = await attach()
    await playGame()
    await jumpAbout()
    await analyze(listed)
    stopping = true
    await controller.stop()
  }
  await Promise.race([test(), failed])
}

try {
  await main()
  console.log('sabaki: every answer as expected')
  process.exit(0)
} catch (error) {
  console.error(`sabaki: ${error.message}`)
  await Promise.race([controller.kill(), new Promise(done => setTimeout(done, 1000))])
  process.exit(1)
}
