// Talks to an engine as the Sabaki board program does, through Sabaki's own library:
// commands in one burst, a game, and synchronization by undo and replay.
//
//   node drive.mjs ENGINE [ARGUMENT...]
//
// Exits with 0 if every answer is as expected, else with 1 and a line that says what is not.

import assert from 'node:assert/strict'
import gtp from '@sabaki/gtp'

const SECONDS_MAX = 60
const VERTEX = /^([A-HJ-Z]\d+|pass|resign)$/ // Sabaki knows `pass` in lower case only

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

/** Attaching an engine: Sabaki sends these without waiting for the answers. */
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

async function main() {
  let stopping = false
  const failed = new Promise((_, reject) => {
    const late = () => reject(new Error(`no end after ${SECONDS_MAX} s`))
    setTimeout(late, SECONDS_MAX * 1000).unref()
    controller.on('stopped', () => stopping || reject(new Error('the engine stopped')))
    // The library lets the errors of spawn and of the pipes through.
    const broken = error => reject(new Error(`no talk with the engine: ${error.message}`))
    process.on('uncaughtException', broken)
  })
  const test = async () => {
    controller.start()
    await attach()
    await playGame()
    await jumpAbout()
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
