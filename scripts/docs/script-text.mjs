/** JSON as a script writes it: names bare where they may be, strings in single quotes. */
export function scriptText(value) {
  if (typeof value === 'string') return /['\\\n]/.test(value) ? JSON.stringify(value) : `'${value}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(scriptText).join(', ')}]`
  const fields = Object.entries(value).map(([name, field]) => {
    const bare = /^[A-Za-z_$][\w$]*$/.test(name)
    return `${bare ? name : scriptText(name)}: ${scriptText(field)}`
  })
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
