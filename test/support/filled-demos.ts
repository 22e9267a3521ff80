import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where data directories are that the demo filled, one for each number of calls. */
    filledDemos: string
  }
}

let folder: string | undefined

/** A place for what start-service.ts fills, for as long as the run takes. */
export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'earshot-filled-'))
  provide('filledDemos', folder)
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
