import { Problem } from '../../base/problem.js'

/** Threads libuv has when nothing is set. */
const LIBUV_DEFAULT_THREADS = 4

/** Threads that file system, DNS and crypto calls need while every connection is busy. */
const SPARE_THREADS = 2

/** The size of Node's thread pool. Not configuration of ours, but a fact about the process, fixed before it started. */
export function threadPoolSize(): number {
  // oxlint-disable-next-line node/no-process-env
  const set = Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10)
  return Number.isNaN(set) ? LIBUV_DEFAULT_THREADS : Math.min(Math.max(set, 1), 1024)
}

/**
 * Refuses a pool that our queries could fill: each running query holds one of its threads, and with none left a lookup
 * waits for the slowest heavy query (measured: 12 s).
 */
export function checkThreadPool(size: number, connections: number): void {
  const needed = connections + SPARE_THREADS
  if (size >= needed) return
  throw new Problem(
    'not_configured',
    `Node's thread pool has ${size} threads and the store needs ${needed}: set UV_THREADPOOL_SIZE to ${needed} or more before Node starts`,
  )
}
