import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { tempDir } from './temp-dir.js'

/** A disk of a few megabytes, really mounted, and what fills it. */
export interface SmallDisk {
  readonly dir: string
  /** Takes all the room but this many bytes. */
  fill(leave?: number): void
  /** Gives the room back. */
  free(): void
}

/** Mounts one; undefined where this user may not. It is gone after the test. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const dir = tempDir()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
  const ballast = join(dir, 'ballast')
  return {
    dir,
    fill: (leave = 0) => {
      mkdirSync(ballast, { recursive: true })
      const kept = Array.from({ length: Math.ceil(leave / 4096) }, (_, n) => join(ballast, `kept-${n}`))
      for (const file of kept) writeFileSync(file, Buffer.alloc(4096))
      fillUp(ballast)
      for (const file of kept) rmSync(file)
    },
    free: () => rmSync(ballast, { recursive: true, force: true }),
  }
}

function fillUp(ballast: string): void {
  for (let n = 0; ; n += 1) {
    try {
      writeFileSync(join(ballast, String(n)), Buffer.alloc(4096))
    } catch {
      return
    }
  }
}
