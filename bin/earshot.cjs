#!/usr/bin/env node
'use strict'

// CommonJS on purpose. Every running DuckDB query holds a thread of libuv's pool, 4 by default: four heavy queries would
// leave no thread for a file read or a lookup. The size is read once, at the pool's first use, and loading an ES module
// from disk already uses it; so it is set here, before the first import.
process.env.UV_THREADPOOL_SIZE ??= '24'

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const main = join(__dirname, '..', 'dist', 'main.js')
if (existsSync(main)) {
  void import(pathToFileURL(main).href)
} else {
  process.stderr.write('Earshot is not built yet. Run "npm run build" first.\n')
  process.exitCode = 1
}
