/** Who acts when the command does: whoever can read the data directory may do what a SuperAdmin may. */
export const operator = { name: 'operator', role: 'SuperAdmin' } as const
