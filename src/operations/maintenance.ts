import { z } from 'zod'
import { backupProgress, backupReport } from '../backup/create-backup.js'
import { operation } from './operation.js'

/** Which program serves, for the commands that meet it. */
export const getServer = operation({
  method: 'GET',
  url: '/control/server',
  access: 'open',
  answer: z.strictObject({ version: z.string(), pid: z.int() }),
  run: ({ version }) => ({ version, pid: process.pid }),
})

/** Copies everything into an empty directory. For the operator. */
export const backUp = operation({
  method: 'POST',
  url: '/control/backup',
  access: 'super_admin',
  query: z.strictObject({
    directory: z.string().min(1),
    recipient: z.string().min(1).max(4_000).optional(),
    max_copy: z.number().min(1).max(86_400).default(3_600).meta({ description: 'Seconds' }),
  }),
  streams: true,
  progress: backupProgress,
  answer: backupReport,
  run: async ({ backup }, request) => {
    const { directory, recipient, max_copy: seconds } = request.query()
    return await backup({
      directory,
      recipient,
      maxCopyMs: seconds * 1000,
      signal: request.signal,
      // How far it is nobody waits for, and a commander that left is told of by the signal.
      onProgress: done => void request.say(done).catch(() => undefined),
    })
  },
})

export const maintenanceOperations = [getServer, backUp] as const
