import type { BackupReport } from '../../backup/create-backup.js'

/** What a backup came to, for a reader. */
export function backupLines({ directory, calls, files, bytes, pause_ms: pause }: BackupReport): string {
  return [
    `${calls} calls and all else are in ${directory} (${files} files, ${bytes} bytes), read again and counted.`,
    `Writing stood still for ${(pause / 1000).toFixed(1)} s; questions were answered meanwhile.`,
    'It holds the calls and the secrets of this installation: encrypt it, and guard it like the data directory.',
    '',
  ].join('\n')
}
