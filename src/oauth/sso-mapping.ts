import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parse } from 'yaml'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import { agentNames, teamId } from '../access/key-fields.js'
import type { TextAccess } from '../pipeline/index.js'
import { ROLES, TEXT_ACCESS } from '../store/records/key.js'

const wanted = z.union([z.string(), z.array(z.string()).min(1).max(100)])

const when = z
  .record(z.string().min(1).max(200), wanted)
  .refine(claims => Object.keys(claims).length > 0, 'names no claim, so it would be everybody’s')

const administrator = z
  .strictObject({ when, role: z.enum(['Admin', 'SuperAdmin']), project: z.string().optional() })
  .refine(({ role, project }) => role === 'SuperAdmin' || project !== undefined, 'must name the project of an Admin')

const rule = z
  .strictObject({
    when,
    project: z.string(),
    agents: agentNames.default([]),
    teams: z.array(teamId).max(20).default([]),
    full_project: z.literal(true).optional(),
    roles: z.array(z.enum(ROLES)).max(20).default([]),
    text: z.enum(['none', 'masked']).optional(),
  })
  .refine(
    ({ agents, teams, full_project: full }) => full === true || agents.length + teams.length > 0,
    'must give agents, teams, or full_project: true',
  )

/** How what an identity provider says of a person becomes what they hear: docs/sign-in.md. */
export const ssoMapping = z
  .strictObject({
    email_domains: z.array(z.string().toLowerCase()).min(1).max(100).optional(),
    administrators: z.array(administrator).max(1_000).default([]),
    rules: z.array(rule).max(1_000).default([]),
  })
  .refine(({ administrators, rules }) => administrators.length + rules.length > 0, {
    path: ['rules'],
    message: 'has no rule, and neither has administrators: nobody would come in',
  })
export type SsoMapping = z.output<typeof ssoMapping>

/** A mapping, from YAML or JSON. @throws Problem `invalid_input` that says where it is wrong */
export function readSsoMapping(text: string): SsoMapping {
  let written: unknown
  try {
    written = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    // Below its first line the library shows the place.
    const [why] = error instanceof Error ? error.message.split(/:?\n/, 1) : []
    throw new Problem('invalid_input', `The mapping is no YAML: ${why ?? 'unreadable'}`)
  }
  return parseInput(ssoMapping, written, 'field')
}

/** The mapping in a file. @throws Problem `invalid_input` that names it */
export function loadSsoMapping(file: string): SsoMapping {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      'invalid_input',
      `The mapping ${file} can’t be read: ${(error as NodeJS.ErrnoException).code ?? ''}`,
    )
  }
  try {
    return readSsoMapping(text)
  } catch (error) {
    throw error instanceof Problem
      ? new Problem(error.code, `${file}: ${error.message}`, { details: error.details })
      : error
  }
}

export type Claims = Readonly<Record<string, unknown>>

/** What a person hears by the mapping. */
export interface MappedPerson {
  readonly project_id: string
  readonly allowed_agents: string[]
  readonly teams: string[]
  readonly full_project: boolean
  readonly roles: (typeof ROLES)[number][]
  readonly text: TextAccess
  /** The rules that say so, from 1. */
  readonly rules: readonly number[]
}

/**
 * The first rule that matches says the project. What every matching rule of that project gives is added up; of texts the least
 * that any of them lets see.
 * @throws Problem `forbidden` for whoever may not come in at all
 */
export function mapClaims(mapping: SsoMapping, claims: Claims): MappedPerson {
  refuseAddress(mapping, claims)
  const matching = mapping.rules
    .map((one, i) => ({ ...one, number: i + 1 }))
    .filter(({ when }) => matches(when, claims))
  const [first] = matching
  if (first === undefined)
    throw new Problem(
      'forbidden',
      'No rule here is about you: none of your groups or other claims is mapped to a project',
    )
  const mine = matching.filter(({ project }) => project === first.project)
  const full = mine.some(({ full_project: whole }) => whole === true)
  const all = <T>(of: (one: (typeof mine)[number]) => readonly T[]): T[] => [...new Set(mine.flatMap(of))]
  return {
    project_id: first.project,
    allowed_agents: full ? [] : all(({ agents }) => agents),
    teams: full ? [] : all(({ teams }) => teams),
    full_project: full,
    roles: all(({ roles }) => roles),
    text: TEXT_ACCESS.find(one => mine.some(({ text = 'full' }) => text === one)) ?? 'full',
    rules: mine.map(({ number }) => number),
  }
}

/** What an administrator does by the mapping. */
export interface MappedAdministrator {
  readonly role: 'Admin' | 'SuperAdmin'
  /** The one project of an Admin; of a SuperAdmin the one they begin with. */
  readonly project?: string | undefined
  /** The rule that says so, from 1. */
  readonly rule: number
}

/** By the first rule of administrators that matches; undefined for whoever is none. @throws Problem as `mapClaims` */
export function mapAdministrator(mapping: SsoMapping, claims: Claims): MappedAdministrator | undefined {
  if (mapping.administrators.length === 0) return undefined
  refuseAddress(mapping, claims)
  const index = mapping.administrators.findIndex(one => matches(one.when, claims))
  const found = mapping.administrators[index]
  return found && { role: found.role, project: found.project, rule: index + 1 }
}

/** @throws Problem `forbidden` for whoever comes with an address that is not theirs, or of no domain that is let in */
function refuseAddress({ email_domains: domains, administrators, rules }: SsoMapping, claims: Claims): void {
  const needsEmail =
    domains !== undefined || [...administrators, ...rules].some(one => Object.hasOwn(one.when, 'email'))
  const { email, email_verified: verified } = claims
  if (verified === false || (needsEmail && verified !== true))
    throw new Problem('forbidden', 'The identity provider does not say that your e-mail address is verified')
  if (domains !== undefined && !domains.includes(domainOf(email)))
    throw new Problem('forbidden', 'Your e-mail address is of no domain that is let in here')
}

function matches(wantedClaims: z.output<typeof when>, claims: Claims): boolean {
  return Object.entries(wantedClaims).every(([name, values]) => {
    const said = valuesOf(claims, name)
    return (typeof values === 'string' ? [values] : values).some(one => said.includes(one))
  })
}

/** What a claim says, a list's entries each. A name with dots is a path where no claim is called so. */
function valuesOf(claims: Claims, name: string): readonly string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(within, claims)
  const values: readonly unknown[] = Array.isArray(found) ? found : [found]
  return values.flatMap(value =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [],
  )
}

function within(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, name)
    ? (of as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function domainOf(email: unknown): string {
  return typeof email === 'string' ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : ''
}
