/** The protocol revisions with sessions, the preferred one first. */
export const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** The revision without sessions, where every request stands alone. */
export const STATELESS_REVISION = '2026-07-28'

/** Every revision this server speaks, the newest first. */
export const REVISIONS: readonly string[] = [STATELESS_REVISION, ...SESSION_REVISIONS]
