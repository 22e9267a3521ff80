import type { NamingFiles } from '../../src/ingest/erase-calls.js'

/** Where nothing was ever reported into a file. */
export const noReports: NamingFiles = { without: (_project, _ids, erase) => erase() }
