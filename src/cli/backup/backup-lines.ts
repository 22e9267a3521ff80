import type { BackupReport } from '../../backup/create-backup.js'

/** What a backup came to, for a reader. */
export function backupLines(report: BackupReport): string {
  const { directory, calls, files, bytes, pause_ms: pause, sealed, signed_by: signer } = report
  return [
    `${calls} calls and all else are in ${directory} (${files} files, ${bytes} bytes), read again${sealed ? '' : ' and counted'}.`,
    `Writing stood still for ${(pause / 1000).toFixed(1)} s; while the store was copied calls came in and questions were answered.`,
    sealed
      ? 'It is sealed: nobody opens it without the identity, which is not kept here.'
      : 'It holds the calls and the secrets of this installation: seal it (--recipient), and guard it like the data directory.',
    `Signed by ${signer}: keep that elsewhere, for restore --signed-by.`,
    '',
  ].join('\n')
}
