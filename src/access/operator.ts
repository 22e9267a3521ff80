import type { Admin } from './admin.js'

/** Who acts when a command does: whoever can read the data directory may do what a SuperAdmin may. */
export const operator: Admin = { subject: 'operator', name: 'operator', role: 'SuperAdmin' }
