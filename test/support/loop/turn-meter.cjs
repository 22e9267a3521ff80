'use strict'

/*
 * Loaded into a process before its program (`node --require`): measures how much processor time the main thread takes in one
 * turn of its event loop, and appends each turn over FLOOR_MS to the file TURN_METER_FILE, in milliseconds, a line each.
 *
 * A timer that is always due fires once a turn, so what the thread's own clock went on between two of its calls was taken
 * by the turn between them. It is the time the thread had a processor, not the time that passed: others who load the
 * machine make a turn longer, not dearer. Linux only: Node below 22.19 can't ask the system for it.
 */
const { appendFileSync, existsSync, openSync, readSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const EVERY_MS = 2
const FLOOR_MS = 25

const file = process.env.TURN_METER_FILE
if (isMainThread && file !== undefined) {
  const processorMs = processorClock()
  let before = processorMs()
  setInterval(() => {
    const now = processorMs()
    if (now - before > FLOOR_MS) appendFileSync(file, `${(now - before).toFixed(1)}\n`)
    // What it takes to say so is not the program's.
    before = processorMs()
  }, EVERY_MS).unref()
  // Children of the program are not what is measured.
  delete process.env.TURN_METER_FILE
}

/** Milliseconds of processor time of the calling thread. */
function processorClock() {
  if (typeof process.threadCpuUsage === 'function') {
    return () => {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1_000
    }
  }
  const own = `/proc/self/task/${process.pid}`
  const buffer = Buffer.alloc(16_384)
  const reader = name => {
    const fd = openSync(`${own}/${name}`)
    return () => buffer.latin1Slice(0, readSync(fd, buffer, 0, buffer.length, 0))
  }
  if (existsSync(`${own}/sched`)) {
    const read = reader('sched')
    return () => Number(/sum_exec_runtime\s*:\s*([\d.]+)/.exec(read())?.[1])
  }
  // In ticks of 10 ms.
  const read = reader('stat')
  return () => {
    const text = read()
    const [utime, stime] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return 10 * (Number(utime) + Number(stime))
  }
}
