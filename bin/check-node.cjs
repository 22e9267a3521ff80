'use strict'

// Before anything is loaded or built that an older Node only answers with a syntax error. So it is written in old syntax itself.
const needed = require('../package.json').engines.node.replace('>=', '')
const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(`Earshot needs Node ${needed} or newer; this is ${process.versions.node}.\n`)
  process.exit(1)
}
