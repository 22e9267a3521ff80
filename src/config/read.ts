import { z } from 'zod'
import { echo, holdsUnseen } from '../base/text.js'
import { closest } from '../base/closest.js'

const BYTES_OF_UNIT = { '': 1, B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3 }

/** A size in bytes. */
export function bytes(min: number, max: number): z.ZodType<number, string> {
  return quantity({ units: BYTES_OF_UNIT, min, max, kind: 'a size such as 65536, 64KiB or 1GiB', show: formatBytes })
}

/** A number from `min` to `max`, or the word `none`. */
export function decimalOrNone(min: number, max: number): z.ZodType<number | 'none', string> {
  return reader<number | 'none'>(text => {
    if (text === 'none') return { value: text }
    const value = /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a number from ${min} to ${max}, nor none` }
  })
}

/** A number from `min` to `max`, with a point before decimals. */
export function decimal(min: number, max: number): z.ZodType<number, string> {
  return reader(text => {
    const value = /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a number from ${min} to ${max}` }
  })
}

const hostSchema = z.union([z.ipv4(), z.ipv6(), z.hostname()])

/** A host name or IP address to listen on, without a port. */
export function host(): z.ZodType<string, string> {
  return reader(text => {
    const accepted = hostSchema.safeParse(text).success
    return accepted ? { value: text } : { wrong: `is ${echo(text)}, not a host name or an IP address` }
  })
}

/** An http:// or https:// address without a name or password in it. Whether http will do is decided beside it. */
export function httpUrl(): z.ZodType<string, string> {
  return reader(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    // Not repeated: it may hold a password.
    if (url !== undefined && (url.username !== '' || url.password !== '')) {
      return { wrong: 'holds a name or password, which have a setting of their own' }
    }
    const http = url?.protocol === 'https:' || url?.protocol === 'http:'
    return http ? { value: text } : { wrong: `is ${echo(text)}, not an https:// address` }
  })
}

/** An http:// or https:// address below which everything is, as browsers and clients write it: without a slash at its end. */
export function baseUrl(): z.ZodType<string, string> {
  return httpUrl().transform((text, context) => {
    const { origin, pathname, search, hash } = new URL(text)
    if (search !== '' || hash !== '') {
      context.addIssue(`is ${echo(text)}, which ends in a query or fragment; give the address alone`)
      return z.NEVER
    }
    return `${origin}${pathname.replace(/\/+$/, '')}`
  })
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodType<number, string> {
  return reader(text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a whole number from ${min} to ${max}` }
  })
}

/** Whether a host name or address, with or without the brackets of IPv6, is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** A list with commas between; `kind` completes "holds 'x', which is not …". */
export function list(accepts: (entry: string) => boolean, kind: string): z.ZodType<readonly string[], string> {
  return reader(text => {
    const value = text
      .split(',')
      .map(entry => entry.trim())
      .filter(entry => entry !== '')
    const odd = value.find(entry => !accepts(entry))
    return odd === undefined ? { value } : { wrong: `holds ${echo(odd)}, which is not ${kind}` }
  })
}

/** A switch: 1 or 0. */
export function onOff(): z.ZodType<boolean, string> {
  return reader(text => {
    if (/^(1|true|yes|on)$/i.test(text)) return { value: true }
    if (/^(0|false|no|off)$/i.test(text)) return { value: false }
    return { wrong: `is ${echo(text)}, not 1 or 0` }
  })
}

/** One of a few words. */
export function oneOf<const T extends string>(...accepted: readonly T[]): z.ZodType<T, string> {
  return reader(text => {
    const value = accepted.find(word => word === text)
    if (value !== undefined) return { value }
    const meant = closest(text, accepted)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    return { wrong: `is ${echo(text)}, not one of ${accepted.join(', ')}${hint}` }
  })
}

/** Text that can stand on one line. */
export function plainText(): z.ZodType<string, string> {
  return reader(text => (holdsUnseen(text) ? { wrong: 'holds a character that nobody can see' } : { value: text }))
}

interface Quantity {
  /** Factor of each unit; the unit may only be left out when '' is among them. */
  readonly units: Readonly<Record<string, number>>
  readonly min: number
  readonly max: number
  /** Completes "is 'x', not …". */
  readonly kind: string
  readonly show: (value: number) => string
}

/** A number with a unit, as a whole number of the smallest unit. */
export function quantity({ units, min, max, kind, show }: Quantity): z.ZodType<number, string> {
  const shape = new RegExp(`^(\\d{1,15}(?:\\.\\d{1,6})?)\\s*(${Object.keys(units).join('|')})$`)
  return reader(text => {
    const [, digits, unit] = shape.exec(text) ?? []
    if (digits === undefined) return { wrong: `is ${echo(text)}, not ${kind}` }
    const value = Math.round(Number(digits) * (units[unit ?? ''] ?? 1))
    if (value < min || value > max) return { wrong: `is ${echo(text)}, not between ${show(min)} and ${show(max)}` }
    return { value }
  })
}

/** What a piece of text turned out to be: a value, or a sentence that continues "VARIABLE ". */
export type Reading<T> = { readonly value: T } | { readonly wrong: string }

/** A zod schema from trimmed text to a value. */
export function reader<T>(parse: (text: string) => Reading<T>): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    const reading = parse(text.trim())
    if ('value' in reading) return reading.value
    context.addIssue({ code: 'custom', message: reading.wrong })
    return z.NEVER
  })
}

/** A secret of at least `min` bytes of UTF-8. Never trimmed, never repeated in an error. */
export function secret(min: number): z.ZodType<string, string> {
  return z.string().refine(value => Buffer.byteLength(value) >= min, `must be at least ${min} bytes long`)
}

/** An address that keys may be fetched from: https, or http on loopback. */
export function secureUrl(): z.ZodType<string, string> {
  return reader(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
    return secure ? { value: text } : { wrong: `is ${echo(text)}, not an https:// address (http:// only on loopback)` }
  })
}

/** The store's address. Not repeated in errors: it may hold a password. */
export function storeUrl(): z.ZodType<string, string> {
  return reader(text => {
    if (text === 'duckdb:' || /^mongodb(?:\+srv)?:\/\/./.test(text)) return { value: text }
    return {
      wrong:
        'is neither "duckdb:", the store of the data directory, nor the address of a MongoDB server, such as mongodb://user:password@db.example.com/earshot?tls=true',
    }
  })
}

const UNITS_OF_MS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** Milliseconds as an operator would write them: 1800000 is `30m`. */
export function formatDuration(milliseconds: number): string {
  const [unit, size] = UNITS_OF_MS.find(([, length]) => milliseconds > 0 && milliseconds % length === 0) ?? ['ms', 1]
  return `${milliseconds / size}${unit}`
}

const MS_OF_UNIT = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 }

/** A length of time in milliseconds. The unit is required: a bare 30 would be read as seconds by one and ms by another. */
export function duration(min: number, max: number): z.ZodType<number, string> {
  return quantity({
    units: MS_OF_UNIT,
    min,
    max,
    kind: 'a length of time such as 500ms, 10s, 30m or 24h',
    show: formatDuration,
  })
}

const UNITS_OF_BYTES = ['B', 'KiB', 'MiB', 'GiB'] as const

/** A number of bytes as an operator would write it: 1048576 is `1MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && value % 1024 === 0 && unit < UNITS_OF_BYTES.length - 1) {
    value /= 1024
    unit += 1
  }
  return unit === 0 ? String(value) : `${value}${UNITS_OF_BYTES[unit]}`
}
