import { describe, expect, test } from 'vitest'
import { ConfigError, type Flags, loadCommandConfig, loadConfig } from '../src/config.js'

function problemsOf(environment: NodeJS.ProcessEnv, flags: Flags = {}): readonly string[] {
  try {
    loadConfig(flags, environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the configuration', () => {
  test('has a default for everything that needs one', () => {
    const { config, warnings } = loadConfig({}, {})
    expect(config).toMatchObject({
      dataDir: './data',
      host: '127.0.0.1',
      port: 8000,
      mcpEnabled: false,
      mcpHost: '127.0.0.1',
      mcpPort: 8001,
      maxBodyBytes: 1024 * 1024,
      requestsPerMinute: 600,
      sessionIdle: 30 * 60 * 1000,
    })
    expect(warnings).toEqual([])
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('takes the tool server on as the specification says', () => {
    const { config } = loadConfig({}, { MCP_SERVER_ENABLED: '1', MCP_PORT: '9001' })
    expect(config).toMatchObject({ mcpEnabled: true, mcpPort: 9001 })
  })

  test('lets a flag win over a variable', () => {
    expect(loadConfig({ port: '9000' }, { PORT: '8080' }).config.port).toBe(9000)
  })

  test('counts an empty variable as unset', () => {
    expect(loadConfig({}, { PORT: '', EARSHOT_LOG_LEVEL: '' }).config).toMatchObject({ port: 8000, logLevel: 'info' })
  })

  test('listens for tools where it listens for the API, unless told otherwise', () => {
    expect(loadConfig({}, { HOST: '127.0.0.2' }).config.mcpHost).toBe('127.0.0.2')
  })

  test.each([
    ['64KiB', 65_536],
    ['65536', 65_536],
    ['1.5 MiB', 1_572_864],
    ['2MB', 2_000_000],
  ])('reads the size %s', (written, bytes) => {
    expect(loadConfig({}, { EARSHOT_MAX_BODY_BYTES: written }).config.maxBodyBytes).toBe(bytes)
  })

  test.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5m', 90_000],
  ])('reads the length of time %s', (written, milliseconds) => {
    expect(loadConfig({}, { EARSHOT_QUERY_TIMEOUT: written }).config.queryTimeout).toBe(milliseconds)
  })

  test('reports everything that is wrong at once, one line per problem', () => {
    expect(
      problemsOf({
        PORT: '80000',
        MCP_SERVER_ENABLED: 'maybe',
        EARSHOT_LOG_LEVEL: 'inof',
        EARSHOT_MAX_BODY_BYTES: '1 parsec',
        EARSHOT_QUERY_TIMEOUT: '10',
        EARSHOT_ADMIN_JWT_SECRET: 'short',
        EARSHOT_ADMIN_JWKS_URL: 'http://keys.example.com',
        EARSHOT_ALLOWED_ORIGINS: 'https://a.example,b.example',
      }),
    ).toEqual([
      'PORT is "80000", not a whole number from 0 to 65535',
      'MCP_SERVER_ENABLED is "maybe", not 1 or 0',
      'EARSHOT_ALLOWED_ORIGINS holds "b.example", which is not an origin such as https://calls.example.com',
      'EARSHOT_ADMIN_JWT_SECRET must be at least 32 bytes long',
      'EARSHOT_ADMIN_JWKS_URL is "http://keys.example.com", not an https:// address (http:// only on loopback)',
      'EARSHOT_LOG_LEVEL is "inof", not one of fatal, error, warn, info, debug, trace, silent; did you mean info?',
      'EARSHOT_MAX_BODY_BYTES is "1 parsec", not a size such as 65536, 64KiB or 1GiB',
      'EARSHOT_QUERY_TIMEOUT is "10", not a length of time such as 500ms, 10s, 30m or 24h',
    ])
  })

  test('names the flag when the flag is wrong', () => {
    expect(problemsOf({}, { port: 'http' })).toEqual(['--port is "http", not a whole number from 0 to 65535'])
  })

  test('never repeats a secret', () => {
    expect(problemsOf({ EARSHOT_ADMIN_JWT_SECRET: 'hunter2' }).join()).not.toContain('hunter2')
    expect(problemsOf({ EARSHOT_STORE_URL: 'mongodb://me:hunter2@db' }).join()).not.toContain('hunter2')
  })

  test.each(['0.0.0.0', '::', '192.0.2.7', 'calls.example.com'])(
    'refuses to listen on %s without a list of allowed hosts',
    host => {
      expect(problemsOf({ HOST: host })).toEqual([expect.stringContaining('EARSHOT_ALLOWED_HOSTS')])
      expect(problemsOf({ HOST: host, EARSHOT_ALLOWED_HOSTS: 'calls.example.com' })).toEqual([])
      expect(problemsOf({ MCP_SERVER_ENABLED: '1', MCP_HOST: host })).toHaveLength(1)
    },
  )

  test('of a command that opens no listener needs what a listener needs no more, and all else as much', () => {
    const { config } = loadCommandConfig({}, { HOST: '0.0.0.0', MCP_SERVER_ENABLED: '1', PORT: '8001' })
    expect(config).toMatchObject({ host: '0.0.0.0', port: 8001 })
    expect(() => loadCommandConfig({}, { PORT: '80000' })).toThrow('PORT is "80000"')
    expect(() => loadCommandConfig({}, { EARSHOT_MODEL_MAX_COST: '5' })).toThrow('EARSHOT_MODEL_PRICE_INPUT')
  })

  test('tells what a listener lacks together with all else that contradicts itself', () => {
    expect(problemsOf({ HOST: '0.0.0.0', EARSHOT_MODEL_MAX_COST: '5' })).toHaveLength(2)
  })

  test('refuses one port for two listeners', () => {
    expect(problemsOf({ MCP_SERVER_ENABLED: '1', PORT: '8001' })).toHaveLength(1)
    expect(problemsOf({ MCP_SERVER_ENABLED: '1', PORT: '0', MCP_PORT: '0' })).toEqual([])
  })

  test('takes admin tokens by a secret or by a key set with its issuer and audience, not by both', () => {
    const keySet = { EARSHOT_ADMIN_JWKS_URL: 'https://id.example.com/keys' }
    expect(problemsOf(keySet)).toHaveLength(2)
    const complete = { ...keySet, EARSHOT_ADMIN_JWT_ISSUER: 'id', EARSHOT_ADMIN_JWT_AUDIENCE: 'earshot' }
    expect(problemsOf(complete)).toEqual([])
    expect(problemsOf({ ...complete, EARSHOT_ADMIN_JWT_SECRET: 'x'.repeat(32) })).toHaveLength(1)
  })

  test('takes a model with its name, by https or on this machine unless plain http is allowed', () => {
    const model = { EARSHOT_MODEL_URL: 'https://models.example.com/v1', EARSHOT_MODEL_NAME: 'm' }
    expect(problemsOf(model)).toEqual([])
    expect(loadConfig({}, model).config).toMatchObject({
      modelKind: 'openai',
      modelTemperature: 0,
      modelConcurrency: 4,
    })
    expect(problemsOf({ EARSHOT_MODEL_URL: model.EARSHOT_MODEL_URL })).toEqual([
      'EARSHOT_MODEL_URL needs EARSHOT_MODEL_NAME: the model to ask the endpoint for',
    ])
    const http = { ...model, EARSHOT_MODEL_URL: 'http://models.example.com/v1' }
    expect(problemsOf(http)).toEqual([expect.stringContaining('EARSHOT_MODEL_ALLOW_HTTP=1')])
    expect(problemsOf({ ...http, EARSHOT_MODEL_ALLOW_HTTP: '1' })).toEqual([])
    expect(problemsOf({ ...model, EARSHOT_MODEL_URL: 'http://[::1]:11434/v1' })).toEqual([])
    const named = problemsOf({ ...model, EARSHOT_MODEL_URL: 'https://me:hunter2@models.example.com' })
    expect(named).toEqual(['EARSHOT_MODEL_URL holds a name or password, which have a setting of their own'])
    expect(problemsOf({ ...model, EARSHOT_MODEL_URL: 'ftp://x' })).toEqual([
      'EARSHOT_MODEL_URL is "ftp://x", not an https:// address',
    ])
    expect(loadConfig({}, { ...model, EARSHOT_MODEL_TEMPERATURE: 'none' }).config.modelTemperature).toBe('none')
    expect(problemsOf({ ...model, EARSHOT_MODEL_TEMPERATURE: '-1' })).toHaveLength(1)
  })

  test('takes a bucket with its credentials, by https or on this machine unless plain http is allowed', () => {
    const bucket = {
      EARSHOT_S3_BUCKET: 'calls/in coming',
      EARSHOT_S3_ACCESS_KEY_ID: 'AK',
      EARSHOT_S3_SECRET_ACCESS_KEY: 'hunter2',
    }
    expect(problemsOf(bucket)).toEqual([])
    expect(problemsOf({ EARSHOT_S3_BUCKET: 'calls' })).toEqual([
      'EARSHOT_S3_BUCKET needs EARSHOT_S3_ACCESS_KEY_ID and EARSHOT_S3_SECRET_ACCESS_KEY',
    ])
    for (const name of ['a', 'calls//x', 'calls/../other', '/calls', 'https://calls', 'calls/.']) {
      expect(problemsOf({ ...bucket, EARSHOT_S3_BUCKET: name })).toEqual([
        'EARSHOT_S3_BUCKET must be the name of a bucket, or NAME/PREFIX',
      ])
    }
    const http = { ...bucket, EARSHOT_S3_URL: 'http://minio.example.com' }
    expect(problemsOf(http)).toEqual([expect.stringContaining('EARSHOT_S3_ALLOW_HTTP=1')])
    expect(problemsOf({ ...http, EARSHOT_S3_ALLOW_HTTP: '1' })).toEqual([])
    expect(problemsOf({ ...http, EARSHOT_S3_URL: 'http://127.0.0.1:9000' })).toEqual([])
  })

  test('bounds money only where there are prices', () => {
    expect(problemsOf({ EARSHOT_MODEL_MAX_COST: '5' })).toEqual([
      expect.stringContaining('needs EARSHOT_MODEL_PRICE_INPUT'),
    ])
    expect(problemsOf({ EARSHOT_MODEL_PRICE_INPUT: '0.15' })).toEqual([expect.stringContaining('need each other')])
    const prices = { EARSHOT_MODEL_PRICE_INPUT: '0.15', EARSHOT_MODEL_PRICE_OUTPUT: '.6' }
    expect(problemsOf(prices)).toEqual(['EARSHOT_MODEL_PRICE_OUTPUT is ".6", not a number from 0 to 1000000'])
  })

  test('warns of a variable that means nothing, with the closest one that does', () => {
    const unknown = { EARSHOT_LOG_LEVLE: 'debug', EARSHOT_FLUX: '1', EARSHOT_RATE_LIMIT: '9', EARSHOT_PORT: '1' }
    expect(loadConfig({}, unknown).warnings).toEqual([
      'EARSHOT_LOG_LEVLE is no setting of Earshot; did you mean EARSHOT_LOG_LEVEL?',
      'EARSHOT_FLUX is no setting of Earshot',
      'EARSHOT_RATE_LIMIT is no setting of Earshot',
      'EARSHOT_PORT is no setting of Earshot; did you mean PORT?',
    ])
  })
})
