/** The roles a key may have; any other is refused. */
export const ROLES = ['Admin', 'SuperAdmin', 'Supervisor'] as const
