import { describe, expect, test } from 'vitest'
import type { Tool } from '@modelcontextprotocol/server'
import { PromptRegistry } from '../../src/mcp/prompts.js'
import { ResourceRegistry } from '../../src/mcp/resources.js'
import { ToolRegistry } from '../../src/mcp/tools.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { caller } from '../support/asking.js'

// What every client reads before it asks anything: it must be strict, and small, since models pay for every word.

/** Bytes of all tools together, and of one: twelve are to fit. */
const INPUT_BYTES = { all: 24_000, one: 4_000 }
const OUTPUT_BYTES = { all: 16_000, one: 4_000 }

/** The one tool that a language is written for: the record's fields and five worked pipelines are in its description. */
const LANGUAGE = { name: 'query_interactions', bytes: 6_000 }

const tools = new ToolRegistry(questions).listFor(caller({ roles: ['SuperAdmin', 'Admin'] }))
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const shown = ({ name, title, description, inputSchema }: Tool) => ({ name, title, description, inputSchema })

test('every question is a tool', () => {
  expect(tools.map(tool => tool.name)).toEqual(questions.map(question => question.name))
})

describe.each(tools)('$name', tool => {
  test('has a title, a description, and arguments that are described', () => {
    expect(tool.title).toMatch(/^[A-Z]/)
    expect(tool.description?.length).toBeGreaterThan(60)
    for (const argument of Object.values(tool.inputSchema.properties ?? {})) {
      expect(argument).toHaveProperty('description')
    }
  })

  test('says that it takes no other arguments, a project least of all', () => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain('project_id')
  })

  test('describes its whole answer, without nulls', () => {
    expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(tool.outputSchema)).not.toContain('"null"')
  })
})

/** Objects without listed fields, and unions: what strict function calling (OpenAI's, and who follows it) does not take. */
function open(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, properties, anyOf, oneOf, allOf, $ref } = schema as Record<string, unknown>
  const own = [
    ...(type === undefined && properties === undefined && path !== '' ? [`${path}: no type`] : []),
    ...(type === 'object' && (properties === undefined || Object(schema).additionalProperties !== false)
      ? [`${path}: open`]
      : []),
    ...((anyOf ?? oneOf ?? allOf ?? $ref) ? [`${path}: a union or a reference`] : []),
  ]
  const inner = Object.entries(properties ?? {}).flatMap(([name, child]) => open(child, `${path}/${name}`))
  const { items } = schema as { items?: unknown }
  return [...own, ...inner, ...(items === undefined ? [] : open(items, `${path}[]`))]
}

test('every tool that gives lift says what it is', () => {
  const giving = tools.filter(tool => JSON.stringify(tool.outputSchema).includes('lift'))
  expect(giving.length).toBeGreaterThan(3)
  expect(
    giving.filter(tool => tool.description?.includes('Lift (-1 to 1) is') !== true).map(({ name }) => name),
  ).toEqual([])
})

test('strict function calling takes the arguments of every tool', () => {
  expect(tools.flatMap(tool => open(tool.inputSchema).map(fault => `${tool.name}${fault}`))).toEqual([])
})

test('an argument that is normalised on the way in is shown as what callers write', () => {
  const search = tools.find(tool => tool.name === 'search_calls')
  expect(search?.inputSchema.properties?.['agent_name']).toMatchObject({ type: 'string', minLength: 1, maxLength: 200 })
  expect(search?.inputSchema.properties?.['limit']).toMatchObject({ type: 'integer', default: 10 })
  expect(search?.inputSchema.required).toBeUndefined()
})

test.each([
  ['names, descriptions and arguments', INPUT_BYTES, shown],
  ['answers', OUTPUT_BYTES, (tool: Tool) => tool.outputSchema],
])('the %s stay within their budget', (_what, budget, part) => {
  const sizes = tools.map(tool => ({ tool: tool.name, size: bytes(part(tool)) }))
  const most = (tool: string) => (tool === LANGUAGE.name ? LANGUAGE.bytes : budget.one)
  expect(sizes.filter(({ tool, size }) => size >= most(tool))).toEqual([])
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(budget.all)
})

test('resources and prompts take little of a list', () => {
  const all = { resources: new ResourceRegistry(resources).templates, prompts: new PromptRegistry(prompts).list }
  expect(bytes(all)).toBeLessThan(3_000)
})

test.each([
  ['questions', () => new ToolRegistry([...questions, ...questions])],
  ['resources', () => new ResourceRegistry([...resources, ...resources])],
  ['prompts', () => new PromptRegistry([...prompts, ...prompts])],
])('two %s of one name do not load', (_what, load) => {
  expect(load).toThrow('the same')
})
