'use strict'

// A process that holds its event loop for as many milliseconds of processor time as a line of its input says.
const { createInterface } = require('node:readline')

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function hold(ms) {
  const until = processorMs() + ms
  while (processorMs() < until) for (let i = 0; i < 100_000; i += 1) Math.sqrt(i)
}

createInterface({ input: process.stdin }).on('line', line => {
  hold(Number(line))
  // The meter looks at the beginning of the next turn.
  setTimeout(() => process.stdout.write('held\n'), 10)
})
