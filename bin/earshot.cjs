#!/usr/bin/env node
'use strict'

require('./check-node.cjs')

// CommonJS on purpose. Every running DuckDB query holds a thread of libuv's pool, 4 by default: four heavy queries would
// leave no thread for a file read or a lookup. The size is read once, at the pool's first use, and loading an ES module
// from disk already uses it; so it is set here, before the first import.
//
// An import must not take more memory than a small machine has. It asks little at the same time: each thread less is 2 MB
// less of memory its allocations leave behind. And JavaScript's heap for new objects, which grows to 32 MB where much data
// is passed on and stays so large, keeps its size (45 MB less at the peak, no slower); it grows while modules are loaded.
// The one for old objects is looked through when it has grown by half, not by a tenth: calls pass through it a batch at a time,
// and each batch cost a look at all that stays (5 % less processor time, 10 MB more at the peak).
const imports = process.argv[2] === 'import'
process.env.UV_THREADPOOL_SIZE ??= imports ? '7' : '24'
if (imports) {
  const { setFlagsFromString } = require('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}

// What the engine lets go of goes back to the system after ten seconds, as is its allocator's own way, or at once where it is much (see
// open-engine.ts): the next question asks for as much again, and a third of its processor time was the system's handing it out anew. Its
// allocator reads this when it is loaded; where it has another it does nothing.
process.env.DUCKDB_JE_MALLOC_CONF ??= 'dirty_decay_ms:10000,muzzy_decay_ms:0'

// The first process of a container gets only the signals that something in it listens to, SIGTERM too: whoever stops it before
// a command listens, or a command that never does, would have to kill it. So it ends itself then, as the system ends others.
if (process.pid === 1) {
  const endings = { SIGINT: 130, SIGTERM: 143 }
  for (const [signal, code] of Object.entries(endings)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code)
    })
  }
}

// At SIGUSR1 Node opens a debugger on 127.0.0.1, to which whoever reaches that port is the program. Listening to the signal takes
// that away (the option --disable-sigusr1 says the same from Node 22.14 on). First thing, since it may come at any time.
process.on('SIGUSR1', () => undefined)

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

require('./stack-traces.cjs')

const main = join(__dirname, '..', 'dist', 'program', 'main.js')
if (existsSync(main)) {
  void import(pathToFileURL(main).href)
} else {
  process.stderr.write('Earshot is not built yet. Run "npm run build" first.\n')
  process.exitCode = 1
}
