import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { LEAST_MEMORY, memoryDefaults, memoryThere } from './memory.js'
import {
  baseUrl,
  bytes,
  decimal,
  decimalOrNone,
  duration,
  formatBytes,
  host,
  httpUrl,
  integer,
  list,
  onOff,
  oneOf,
  plainText,
  secret,
  secureUrl,
  storeUrl,
} from './read.js'
import { placeNameFault } from '../base/place-name.js'
import type { Setting } from './setting.js'

const addressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const MEMORY = memoryDefaults(memoryThere())

// A name or address without a port; IPv6 in brackets.
const isHostEntry = (entry: string): boolean => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(entry)
const isAddressRange = (entry: string): boolean => addressRange.safeParse(entry).success
const isStreamAddress = (entry: string): boolean => {
  if (!URL.canParse(entry)) return false
  const { protocol, hostname, pathname, search, hash, username } = new URL(entry)
  if (search !== '' || hash !== '' || username !== '') return false
  if (protocol === 'file:') return hostname === '' && pathname.length > 1
  return protocol === 'syslog+tls:' && hostname !== '' && pathname === ''
}
// A prefix has no part that an address would lose.
const isBucket = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}(?:\/[^/]+)*\/?$/.test(text) && placeNameFault(text.replace(/\/$/, '')) === undefined
const isOrigin = (entry: string): boolean => URL.canParse(entry) && new URL(entry).origin === entry

/**
 * Everything an operator can set. The one table from which the configuration is read, checked and documented
 * (docs/configuration.md); a setting that is not here does not exist.
 */
export const settings = {
  dataDir: setting({
    variable: 'EARSHOT_DATA_DIR',
    flag: 'data-dir',
    group: 'Store',
    default: './data',
    description: 'Directory of the embedded store, the audit trail and generated secrets (directory 0700, files 0600).',
    read: plainText(),
  }),
  storeUrl: setting({
    variable: 'EARSHOT_STORE_URL',
    group: 'Store',
    default: 'duckdb:',
    description:
      'The store. `duckdb:` is the embedded one in the data directory. `mongodb://…` is a server of MongoDB 7 or later, or one that speaks as it does, for any number of processes: see docs/many-machines.md.',
    read: storeUrl(),
  }),
  storeLease: setting({
    variable: 'EARSHOT_STORE_LEASE',
    group: 'Store',
    default: '45s',
    description:
      'With `mongodb://…`: how long what a process does alone (writes of a project, a task, a webhook’s deliveries) waits for one that was killed, before others take it over. The same for all processes. Two ninths of it are how long a primary is looked for, so shorter is for stores whose elections are quick.',
    read: duration(9_000, 5 * MINUTE),
  }),
  secret: setting({
    variable: 'EARSHOT_SECRET',
    group: 'Store',
    defaultText: 'none: generated in the data directory; required with `mongodb://…`',
    description:
      'What the secrets of all processes of one store are derived from, at least 32 random bytes, such as `openssl rand -base64 32` gives. See [operator.md](operator.md#secrets-of-several-processes).',
    read: secret(32),
  }),
  secretFile: setting({
    variable: 'EARSHOT_SECRET_FILE',
    group: 'Store',
    description:
      'A file that holds it, in place of `EARSHOT_SECRET`: mounted, it is seen by nobody who lists processes.',
    read: plainText(),
  }),
  secretsDir: setting({
    variable: 'EARSHOT_SECRETS_DIR',
    group: 'Store',
    description:
      'A directory of single secrets, named as in a data directory (`cursor.key`, say): each that is there holds in place of the derived one, so that one can be rotated, or come from an embedded store.',
    read: plainText(),
  }),
  acceptSecret: setting({
    variable: 'EARSHOT_ACCEPT_SECRET',
    group: 'Store',
    description:
      'Takes secrets that are others than the store was begun with: the names that the refusal gives, with commas between. Another change has another name, so that a value left behind accepts nothing.',
    read: list(entry => /^[a-z-]+\.(?:key|secret)@\S+$/.test(entry), 'a name that a refusal gave'),
  }),
  memoryLimit: setting({
    variable: 'EARSHOT_MEMORY_LIMIT',
    group: 'Store',
    default: formatBytes(MEMORY.memoryLimit),
    defaultText: '`768MiB`; less where the process may have less than 1.5 GiB',
    description:
      'Memory the engine may use before it spills to disk. More helps heavy questions over many calls, and is needed for calls much longer than 100 kB; with the usual or more, `earshot import` takes some 80 MiB more for speed. The process needs this, twice `EARSHOT_EVALUATION_MEMORY` and 256 MiB.',
    read: bytes(LEAST_MEMORY.memoryLimit, 1024 * GiB),
  }),
  rememberedAnswers: setting({
    variable: 'EARSHOT_REMEMBERED_ANSWERS',
    group: 'Store',
    default: formatBytes(16 * MiB),
    description:
      'Room for what the engine found: who asks the same within the same scope gets it again, as long as no call was added, changed or erased; what was found of counted days alone, as long as none of these days changed. In memory it takes up to seven times as much. 0 remembers nothing.',
    read: bytes(0, 1 * GiB),
  }),
  countDays: setting({
    variable: 'EARSHOT_COUNT_DAYS',
    group: 'Store',
    default: '1',
    description:
      'Days are counted behind imports, so that what adds calls up reads counts in place of calls. 0 counts no more of them: answers are the same and cost by calls.',
    read: onOff(),
  }),
  indexWords: setting({
    variable: 'EARSHOT_INDEX_WORDS',
    group: 'Store',
    default: '1',
    description:
      'Words of the texts of calls are indexed behind imports in an embedded store, 65,536 calls at a time, so that a search need not read every text. 0 indexes no more of them: answers are the same.',
    read: onOff(),
  }),
  threads: setting({
    variable: 'EARSHOT_THREADS',
    group: 'Store',
    default: String(availableParallelism()),
    defaultText: 'number of cores',
    description: 'Threads the engine may use.',
    read: integer(1, 256),
  }),

  acceptLoss: setting({
    variable: 'EARSHOT_ACCEPT_LOSS',
    group: 'Store',
    description:
      'Opens a store that lacks writes it had acknowledged, or begins anew where it is gone. Takes the name of the loss that the refusal gives; another loss has another name, so that a value left behind accepts nothing.',
    read: plainText(),
  }),

  host: setting({
    variable: 'HOST',
    flag: 'host',
    group: 'Listeners',
    default: '127.0.0.1',
    description: 'Address of the API listener. Anything but loopback needs `EARSHOT_ALLOWED_HOSTS`.',
    read: host(),
  }),
  port: setting({
    variable: 'PORT',
    flag: 'port',
    group: 'Listeners',
    default: '8000',
    description: 'Port of the API listener; 0 takes a free one.',
    read: integer(0, 65_535),
  }),
  drainWait: setting({
    variable: 'EARSHOT_DRAIN_WAIT',
    group: 'Listeners',
    default: '0s',
    description:
      'How long a process that was told to stop goes on answering while /ready says 503, so that a load balancer sends it nothing more; the 10 s that running answers get begin behind it.',
    read: duration(0, 10 * MINUTE),
  }),
  consoleEnabled: setting({
    variable: 'EARSHOT_CONSOLE',
    group: 'Listeners',
    default: '1',
    description: 'Whether the API listener serves the console, the pages for people, at `/`. 0 turns it off.',
    read: onOff(),
  }),
  mcpEnabled: setting({
    variable: 'MCP_SERVER_ENABLED',
    flag: 'mcp',
    group: 'Listeners',
    default: '0',
    description: '1 starts the tool server.',
    read: onOff(),
  }),
  mcpHost: setting({
    variable: 'MCP_HOST',
    flag: 'mcp-host',
    group: 'Listeners',
    defaultText: '`HOST`',
    description: 'Address of the tool server.',
    read: host(),
  }),
  mcpPort: setting({
    variable: 'MCP_PORT',
    flag: 'mcp-port',
    group: 'Listeners',
    default: '8001',
    description: 'Port of the tool server; 0 takes a free one.',
    read: integer(0, 65_535),
  }),
  allowedHosts: setting({
    variable: 'EARSHOT_ALLOWED_HOSTS',
    group: 'Listeners',
    defaultText: 'localhost and `HOST`',
    description:
      'Names requests may be addressed to (Host header without port), with commas between. /health and /ready answer any.',
    read: list(isHostEntry, 'a host such as calls.example.com'),
  }),
  allowedOrigins: setting({
    variable: 'EARSHOT_ALLOWED_ORIGINS',
    group: 'Listeners',
    defaultText: 'none but the allowed hosts themselves',
    description: 'Origins of web pages that may send requests, with commas between.',
    read: list(isOrigin, 'an origin such as https://calls.example.com'),
  }),
  corsOrigins: setting({
    variable: 'EARSHOT_CORS_ORIGINS',
    group: 'Listeners',
    defaultText: 'none',
    description: 'Origins of web pages that may also read the answers of the API listener (CORS), with commas between.',
    read: list(isOrigin, 'an origin such as https://calls.example.com'),
  }),
  tlsCert: setting({
    variable: 'EARSHOT_TLS_CERT',
    group: 'Listeners',
    defaultText: 'none: both listeners speak plain HTTP',
    description:
      'File of the certificate that both listeners show, and of the chain behind it (PEM): they speak HTTPS then, TLS 1.2 or newer. Read again when it changes: new connections are shown the new one. See [operator.md](operator.md#https).',
    read: plainText(),
  }),
  tlsKey: setting({
    variable: 'EARSHOT_TLS_KEY',
    group: 'Listeners',
    defaultText: 'none',
    description: 'File of the private key of that certificate (PEM, without a password).',
    read: plainText(),
  }),
  publicUrl: setting({
    variable: 'EARSHOT_PUBLIC_URL',
    group: 'Listeners',
    defaultText: 'the address a client uses',
    description:
      'Where clients reach the tool server, such as https://calls.example.com: AI clients sign in under it, and requests may be addressed to its host, at both listeners. It is the API’s address too, where EARSHOT_PUBLIC_API_URL names no other.',
    read: baseUrl(),
  }),
  publicApiUrl: setting({
    variable: 'EARSHOT_PUBLIC_API_URL',
    group: 'Listeners',
    defaultText: 'EARSHOT_PUBLIC_URL',
    description:
      'Where clients and browsers reach the API and the console, where that is another address than the tool server’s, as without a proxy: /openapi.json names it as its server, people who sign in to the console by company come back to it, and senders of inbound webhooks sign it.',
    read: baseUrl(),
  }),
  oauth: setting({
    variable: 'EARSHOT_OAUTH',
    group: 'Listeners',
    default: '1',
    description:
      '0 turns off the sign-in of AI clients at the tool server (OAuth), which is there on this machine and under a public address with https; keys go on working.',
    read: onOff(),
  }),
  oauthClientDocuments: setting({
    variable: 'EARSHOT_OAUTH_CLIENT_DOCUMENTS',
    group: 'Listeners',
    defaultText: 'none: clients register',
    description:
      'Hosts, with commas between, whose AI clients may be known by a document about them (Client ID Metadata Documents) in place of a registration, such as claude.ai. It is fetched by https from public addresses; without a way out to the internet leave this unset, since clients that see it announced don’t register.',
    read: list(isHostEntry, 'a host name without a port'),
  }),
  ssoIssuer: setting({
    variable: 'EARSHOT_SSO_ISSUER',
    group: 'Single sign-on',
    description:
      'The issuer of the company’s identity provider (OpenID Connect), with which people sign AI clients in, and themselves to the console; https, http only on loopback. Its redirect addresses for us are the public address with /oauth/company, and that of the API with /console/company/back.',
    read: secureUrl(),
  }),
  ssoClientId: setting({
    variable: 'EARSHOT_SSO_CLIENT_ID',
    group: 'Single sign-on',
    description: 'The client that the provider knows us as; required with an issuer.',
    read: plainText(),
  }),
  ssoClientSecret: setting({
    variable: 'EARSHOT_SSO_CLIENT_SECRET',
    group: 'Single sign-on',
    defaultText: 'none: a public client, with PKCE alone',
    description: 'Its secret.',
    read: secret(8),
  }),
  ssoMapping: setting({
    variable: 'EARSHOT_SSO_MAPPING',
    group: 'Single sign-on',
    description:
      'File (YAML or JSON) that says which claims give what, read at the start; required with an issuer. `earshot sso try` says what it gives.',
    read: plainText(),
  }),
  ssoMaxAge: setting({
    variable: 'EARSHOT_SSO_MAX_AGE',
    group: 'Single sign-on',
    default: '7d',
    description:
      'How long an AI client goes on hearing before its person signs in again, when the provider says anew who they are and what maps to them.',
    read: duration(MINUTE, 30 * DAY),
  }),
  ssoScopes: setting({
    variable: 'EARSHOT_SSO_SCOPES',
    group: 'Single sign-on',
    default: 'openid email profile',
    description: 'What is asked of the provider, with blanks between; some give groups only with a scope of their own.',
    read: plainText(),
  }),
  trustedProxies: setting({
    variable: 'EARSHOT_TRUSTED_PROXIES',
    group: 'Listeners',
    defaultText: 'none',
    description: 'Addresses or networks (CIDR) of proxies whose X-Forwarded-For is believed; nobody else is.',
    read: list(isAddressRange, 'an address or a network such as 10.0.0.0/8'),
  }),

  adminJwtSecret: setting({
    variable: 'EARSHOT_ADMIN_JWT_SECRET',
    group: 'Administrators',
    defaultText: 'generated in the data directory',
    description: 'Secret of HS256 admin tokens, at least 32 bytes.',
    read: secret(32),
  }),
  adminJwksUrl: setting({
    variable: 'EARSHOT_ADMIN_JWKS_URL',
    group: 'Administrators',
    description: 'Key set of RS256, ES256 or EdDSA admin tokens, in place of a secret; https, http only on loopback.',
    read: secureUrl(),
  }),
  adminJwtIssuer: setting({
    variable: 'EARSHOT_ADMIN_JWT_ISSUER',
    group: 'Administrators',
    description: 'The `iss` admin tokens must carry; required with a key set.',
    read: plainText(),
  }),
  adminJwtAudience: setting({
    variable: 'EARSHOT_ADMIN_JWT_AUDIENCE',
    group: 'Administrators',
    description: 'The `aud` admin tokens must carry; required with a key set.',
    read: plainText(),
  }),
  adminJwtMaxLifetime: setting({
    variable: 'EARSHOT_ADMIN_JWT_MAX_LIFETIME',
    group: 'Administrators',
    default: '24h',
    description: 'How far ahead the `exp` of an admin token may be.',
    read: duration(MINUTE, 30 * 24 * HOUR),
  }),

  webhookAllowedRanges: setting({
    variable: 'EARSHOT_WEBHOOK_ALLOWED_RANGES',
    group: 'Webhooks',
    defaultText: 'none: public addresses only',
    description:
      'Addresses or networks (CIDR) that webhooks may reach besides public ones, with commas between. One that holds loopback also allows http:// to this machine.',
    read: list(isAddressRange, 'an address or a network such as 10.0.0.0/8'),
  }),
  webhookFirstRetry: setting({
    variable: 'EARSHOT_WEBHOOK_FIRST_RETRY',
    group: 'Webhooks',
    default: '5s',
    description: 'Pause after the first failed attempt; the next ones double, up to 4 hours, for 24 hours in all.',
    read: duration(100, HOUR),
  }),
  webhookRetention: setting({
    variable: 'EARSHOT_WEBHOOK_RETENTION',
    group: 'Webhooks',
    default: '30d',
    description:
      'How long deliveries that arrived or were given up are kept; dead letters can be sent again until then.',
    read: duration(HOUR, 3_650 * DAY),
  }),

  metricsToken: setting({
    variable: 'EARSHOT_METRICS_TOKEN',
    group: 'Monitoring',
    defaultText: 'none: loopback only',
    description: 'Bearer token with which /metrics may be read from elsewhere, at least 16 bytes.',
    read: secret(16),
  }),

  embeddingsUrl: setting({
    variable: 'EARSHOT_EMBEDDINGS_URL',
    group: 'Knowledge base',
    defaultText: 'none: documents are found by their words',
    description:
      'Base address of an embeddings endpoint with OpenAI’s API, such as https://api.example.com/v1; https, http only on loopback. With it documents are found by meaning too; their text, and each query, is sent there.',
    read: secureUrl(),
  }),
  embeddingsModel: setting({
    variable: 'EARSHOT_EMBEDDINGS_MODEL',
    group: 'Knowledge base',
    description: 'Model to ask the endpoint for; required with it. Documents get new vectors when it changes.',
    read: plainText(),
  }),
  embeddingsKey: setting({
    variable: 'EARSHOT_EMBEDDINGS_API_KEY',
    group: 'Knowledge base',
    description: 'Key the endpoint wants, if any.',
    read: secret(1),
  }),

  transcriptionUrl: setting({
    variable: 'EARSHOT_TRANSCRIPTION_URL',
    group: 'Transcription',
    defaultText: 'none: nothing is transcribed',
    description:
      'Base address of a transcription service, such as http://127.0.0.1:8000/v1, https://api.openai.com/v1, https://api.deepgram.com/v1 or https://api.assemblyai.com/v2; https, http only on loopback. "earshot transcribe" sends recordings there: see [recordings.md](recordings.md).',
    read: httpUrl(),
  }),
  transcriptionAllowHttp: setting({
    variable: 'EARSHOT_TRANSCRIPTION_ALLOW_HTTP',
    group: 'Transcription',
    default: '0',
    description: '1 allows http:// to other machines: key and recordings then cross the network readable by all.',
    read: onOff(),
  }),
  transcriptionKind: setting({
    variable: 'EARSHOT_TRANSCRIPTION_KIND',
    group: 'Transcription',
    default: 'openai',
    description:
      'The API it speaks: openai (audio/transcriptions, as local Whisper servers do), deepgram or assemblyai.',
    read: oneOf('openai', 'deepgram', 'assemblyai'),
  }),
  transcriptionModel: setting({
    variable: 'EARSHOT_TRANSCRIPTION_MODEL',
    group: 'Transcription',
    description: 'Model to ask the service for; required with it.',
    read: plainText(),
  }),
  transcriptionApiKey: setting({
    variable: 'EARSHOT_TRANSCRIPTION_API_KEY',
    group: 'Transcription',
    description: 'Key the service wants, if any.',
    read: secret(1),
  }),
  transcriptionConcurrency: setting({
    variable: 'EARSHOT_TRANSCRIPTION_CONCURRENCY',
    group: 'Transcription',
    default: '2',
    description: 'Recordings at a time; each is held in memory while it is sent.',
    read: integer(1, 64),
  }),
  transcriptionTimeout: setting({
    variable: 'EARSHOT_TRANSCRIPTION_TIMEOUT',
    group: 'Transcription',
    default: '30m',
    description: 'How long the transcript of one recording may take.',
    read: duration(100, DAY),
  }),
  transcriptionAttempts: setting({
    variable: 'EARSHOT_TRANSCRIPTION_ATTEMPTS',
    group: 'Transcription',
    default: '4',
    description:
      'Attempts at one request; those after a time-out, a lost connection, 429 and 5xx. Retry-After is kept to.',
    read: integer(1, 20),
  }),
  transcriptionFirstRetry: setting({
    variable: 'EARSHOT_TRANSCRIPTION_FIRST_RETRY',
    group: 'Transcription',
    default: '2s',
    description: 'Pause before the second attempt; each further one is twice as long, to a minute.',
    read: duration(1, HOUR),
  }),
  modelUrl: setting({
    variable: 'EARSHOT_MODEL_URL',
    group: 'Model evaluator',
    defaultText: 'none: calls are evaluated by rules only',
    description:
      'Base address of a language model’s endpoint, such as https://api.openai.com/v1, https://api.anthropic.com/v1 or http://127.0.0.1:11434/v1; https, http only on loopback. What is evaluated with the model is sent there: see [model-evaluator.md](model-evaluator.md).',
    read: httpUrl(),
  }),
  modelAllowHttp: setting({
    variable: 'EARSHOT_MODEL_ALLOW_HTTP',
    group: 'Model evaluator',
    default: '0',
    description: '1 allows http:// to other machines: key and transcripts then cross the network readable by all.',
    read: onOff(),
  }),
  modelKind: setting({
    variable: 'EARSHOT_MODEL_KIND',
    group: 'Model evaluator',
    default: 'openai',
    description:
      'The API it speaks: openai (chat completions, as most servers of models have) or anthropic (messages).',
    read: oneOf('openai', 'anthropic'),
  }),
  modelName: setting({
    variable: 'EARSHOT_MODEL_NAME',
    group: 'Model evaluator',
    description: 'Model to ask the endpoint for; required with it.',
    read: plainText(),
  }),
  modelApiKey: setting({
    variable: 'EARSHOT_MODEL_API_KEY',
    group: 'Model evaluator',
    description: 'Key the endpoint wants, if any.',
    read: secret(1),
  }),
  modelTemperature: setting({
    variable: 'EARSHOT_MODEL_TEMPERATURE',
    group: 'Model evaluator',
    default: '0',
    description:
      '0–2; 0 gives the most equal answers, and a seed is sent with it where the API has one. none sends neither, for models that take only their own.',
    read: decimalOrNone(0, 2),
  }),
  modelSchema: setting({
    variable: 'EARSHOT_MODEL_SCHEMA',
    group: 'Model evaluator',
    default: '1',
    description:
      '0 asks an openai endpoint for JSON without holding it to a schema, where it knows no schemas. Answers are checked either way.',
    read: onOff(),
  }),
  modelMaxOutputTokens: setting({
    variable: 'EARSHOT_MODEL_MAX_OUTPUT_TOKENS',
    group: 'Model evaluator',
    default: '8192',
    description: 'Most tokens of an answer; one for a call has 1,000 to 3,000, and a model that reasons needs more.',
    read: integer(256, 1_000_000),
  }),
  modelMaxCharacters: setting({
    variable: 'EARSHOT_MODEL_MAX_CHARACTERS',
    group: 'Model evaluator',
    default: '200000',
    description: 'Longest call that is sent, in characters; longer ones are left without an evaluation.',
    read: integer(1_000, 10_000_000),
  }),
  modelConcurrency: setting({
    variable: 'EARSHOT_MODEL_CONCURRENCY',
    group: 'Model evaluator',
    default: '4',
    description: 'Requests at a time.',
    read: integer(1, 64),
  }),
  modelTimeout: setting({
    variable: 'EARSHOT_MODEL_TIMEOUT',
    group: 'Model evaluator',
    default: '2m',
    description: 'How long one attempt may take.',
    read: duration(100, HOUR),
  }),
  modelAttempts: setting({
    variable: 'EARSHOT_MODEL_ATTEMPTS',
    group: 'Model evaluator',
    default: '4',
    description:
      'Attempts at one request; those after a time-out, a lost connection, 429 and 5xx. Retry-After is kept to.',
    read: integer(1, 20),
  }),
  modelFirstRetry: setting({
    variable: 'EARSHOT_MODEL_FIRST_RETRY',
    group: 'Model evaluator',
    default: '1s',
    description: 'Pause before the second attempt, up to twice as long by chance; the next ones double.',
    read: duration(1, MINUTE),
  }),
  modelBatchLook: setting({
    variable: 'EARSHOT_MODEL_BATCH_LOOK',
    group: 'Model evaluator',
    default: '30s',
    description:
      'With evaluate --batch: the pause before a batch is looked at the second time. The next pauses grow, to twenty times this.',
    read: duration(10, HOUR),
  }),
  modelPriceInput: setting({
    variable: 'EARSHOT_MODEL_PRICE_INPUT',
    group: 'Model evaluator',
    description: 'Money for a million tokens in, in your currency: what a run cost is then told, and can be bounded.',
    read: decimal(0, 1_000_000),
  }),
  modelPriceOutput: setting({
    variable: 'EARSHOT_MODEL_PRICE_OUTPUT',
    group: 'Model evaluator',
    description: 'Money for a million tokens out.',
    read: decimal(0, 1_000_000),
  }),
  modelMaxCalls: setting({
    variable: 'EARSHOT_MODEL_MAX_CALLS',
    group: 'Model evaluator',
    defaultText: 'none',
    description: 'Most requests of one run. A run that is at its end stops, and the next one goes on.',
    read: integer(1, 1_000_000_000),
  }),
  modelMaxTokens: setting({
    variable: 'EARSHOT_MODEL_MAX_TOKENS',
    group: 'Model evaluator',
    defaultText: 'none',
    description: 'Most tokens of one run, in and out together.',
    read: integer(1, 1_000_000_000_000),
  }),
  modelMaxCost: setting({
    variable: 'EARSHOT_MODEL_MAX_COST',
    group: 'Model evaluator',
    defaultText: 'none',
    description: 'Most money of one run; needs the prices.',
    read: decimal(0, 1_000_000_000),
  }),

  logLevel: setting({
    variable: 'EARSHOT_LOG_LEVEL',
    flag: 'log-level',
    group: 'Logs',
    default: 'info',
    description: 'fatal, error, warn, info, debug, trace or silent. Logs go to stderr.',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logFormat: setting({
    variable: 'EARSHOT_LOG_FORMAT',
    group: 'Logs',
    defaultText: 'json; pretty on a terminal',
    description: 'json or pretty.',
    read: oneOf('json', 'pretty'),
  }),

  maxBodyBytes: setting({
    variable: 'EARSHOT_MAX_BODY_BYTES',
    group: 'Limits',
    default: '1MiB',
    description: 'Body of a request.',
    read: bytes(KiB, 64 * MiB),
  }),
  maxHeaderBytes: setting({
    variable: 'EARSHOT_MAX_HEADER_BYTES',
    group: 'Limits',
    default: '16KiB',
    description: 'Headers of a request.',
    read: bytes(4 * KiB, MiB),
  }),
  maxPathParameter: setting({
    variable: 'EARSHOT_MAX_PATH_PARAMETER',
    group: 'Limits',
    default: '2048',
    description: 'Characters of a parameter in a path.',
    read: integer(256, 65_536),
  }),
  maxBodyBytesUnderWay: setting({
    variable: 'EARSHOT_MAX_BODY_BYTES_UNDER_WAY',
    group: 'Limits',
    default: '128MiB',
    description:
      'Bodies of all requests that are under way, in all; a project takes half of it, a key a quarter, each at least one body. Uploads of calls are streams and not among them.',
    read: bytes(64 * MiB, 64 * GiB),
  }),
  maxConnections: setting({
    variable: 'EARSHOT_MAX_CONNECTIONS',
    group: 'Limits',
    default: '4000',
    description: 'Connections open at once, at each listener; one more is closed as it comes.',
    read: integer(10, 1_000_000),
  }),
  requestsPerMinute: setting({
    variable: 'EARSHOT_REQUESTS_PER_MINUTE',
    group: 'Limits',
    default: '600',
    description: 'Requests a key may make in a minute, over both listeners together.',
    read: integer(1, 1_000_000),
  }),
  requestsPerMinutePerProject: setting({
    variable: 'EARSHOT_REQUESTS_PER_MINUTE_PER_PROJECT',
    group: 'Limits',
    defaultText: '20 times what a key may',
    description: 'Requests all keys and administrators of a project together may make in a minute.',
    read: integer(1, 1_000_000_000),
  }),
  authFailuresPerMinute: setting({
    variable: 'EARSHOT_AUTH_FAILURES_PER_MINUTE',
    group: 'Limits',
    default: '30',
    description: 'Failed authentications an address may make in a minute.',
    read: integer(1, 1_000_000),
  }),
  maxKeysPerProject: setting({
    variable: 'EARSHOT_MAX_KEYS_PER_PROJECT',
    group: 'Limits',
    default: '1000',
    description: 'Active keys of a project; more are not minted.',
    read: integer(1, 1_000_000),
  }),
  retentionDays: setting({
    variable: 'EARSHOT_RETENTION_DAYS',
    group: 'Administrators',
    defaultText: 'none: calls stay until a task of the project erases them',
    description:
      'Every project that is created from then on begins with a task that erases calls older than so many days, each night at 3:00; its administrators can change it ([tasks](tasks.md#retention)).',
    read: integer(1, 36_500),
  }),
  fourEyes: setting({
    variable: 'EARSHOT_FOUR_EYES',
    group: 'Administrators',
    default: '0',
    description:
      '1 has erasing, exporting everything and full-project keys wait for a second administrator: see [operator.md](operator.md#four-eyes).',
    read: onOff(),
  }),
  keyMaxLifetime: setting({
    variable: 'EARSHOT_KEY_MAX_LIFETIME',
    group: 'Limits',
    defaultText: 'none: a key ends when it says so or is revoked',
    description: 'Longest time for which a new application key is accepted; one that names no end ends then.',
    read: duration(HOUR, 3_650 * DAY),
  }),
  maxSessions: setting({
    variable: 'EARSHOT_MAX_SESSIONS',
    group: 'Limits',
    default: '1000',
    description:
      'Open MCP sessions and streams in all. A project that has none finds a place beyond it; a new one takes the place of the longest idle one of its own project, never of another.',
    read: integer(1, 100_000),
  }),
  maxSessionsPerProject: setting({
    variable: 'EARSHOT_MAX_SESSIONS_PER_PROJECT',
    group: 'Limits',
    defaultText: 'half of all',
    description: 'Open MCP sessions and streams of one project.',
    read: integer(1, 100_000),
  }),
  maxSessionsPerKey: setting({
    variable: 'EARSHOT_MAX_SESSIONS_PER_KEY',
    group: 'Limits',
    default: '100',
    description: 'Open MCP sessions and streams of one key.',
    read: integer(1, 100_000),
  }),
  sessionIdle: setting({
    variable: 'EARSHOT_SESSION_IDLE',
    group: 'Limits',
    default: '30m',
    description: 'An MCP session without a request, call or open stream ends after this long.',
    read: duration(10 * SECOND, 7 * DAY),
  }),
  maxResultBytes: setting({
    variable: 'EARSHOT_MAX_RESULT_BYTES',
    group: 'Limits',
    default: '1MiB',
    description: 'Result of a tool.',
    read: bytes(64 * KiB, 64 * MiB),
  }),
  queryTimeout: setting({
    variable: 'EARSHOT_QUERY_TIMEOUT',
    group: 'Limits',
    default: '10s',
    description: 'A query, waiting for its turn included.',
    read: duration(100, HOUR),
  }),
  maxWaitingQuestions: setting({
    variable: 'EARSHOT_MAX_WAITING_QUESTIONS',
    group: 'Limits',
    default: '64',
    description:
      'Heavy questions of one project that wait. Three are answered at once: one of a key, and the third of a project that has none.',
    read: integer(1, 1_000),
  }),
  maxWaitingQuestionsPerKey: setting({
    variable: 'EARSHOT_MAX_WAITING_QUESTIONS_PER_KEY',
    group: 'Limits',
    default: '32',
    description: 'Heavy questions of one key that wait.',
    read: integer(1, 1_000),
  }),
  maxEvaluatedDocuments: setting({
    variable: 'EARSHOT_MAX_EVALUATED_DOCUMENTS',
    group: 'Limits',
    default: '500000',
    description: 'Documents that reach the stages of a pipeline which run outside the engine.',
    read: integer(1_000, 100_000_000),
  }),
  maxEvaluatedBytes: setting({
    variable: 'EARSHOT_MAX_EVALUATED_BYTES',
    group: 'Limits',
    default: '64MiB',
    description: 'Bytes of those documents.',
    read: bytes(MiB, GiB),
  }),
  evaluationMemory: setting({
    variable: 'EARSHOT_EVALUATION_MEMORY',
    group: 'Limits',
    default: formatBytes(MEMORY.evaluationMemory),
    defaultText: '`256MiB`; less where the process may have less than 1.5 GiB',
    description: 'Memory of those stages; two pipelines may run them at the same time.',
    read: bytes(LEAST_MEMORY.evaluationMemory, 16 * GiB),
  }),
  workThreads: setting({
    variable: 'EARSHOT_WORK_THREADS',
    group: 'Limits',
    default: '3',
    description:
      'Threads for what is sent: imports are checked, rubrics read and calls evaluated in them, projects in turns. One is always left to projects that have nothing running. All start with the first work; each takes some 35 MiB without work, 100 MiB with it, 512 MiB at most.',
    read: integer(2, 64),
  }),
  maxImportBytes: setting({
    variable: 'EARSHOT_MAX_IMPORT_BYTES',
    group: 'Limits',
    default: '1GiB',
    description: 'Calls sent to the API in one request, decompressed.',
    read: bytes(MiB, 1024 * GiB),
  }),
  maxImportLineBytes: setting({
    variable: 'EARSHOT_MAX_IMPORT_LINE_BYTES',
    group: 'Limits',
    default: '16MiB',
    description: 'One line (one call) of an import.',
    read: bytes(64 * KiB, 256 * MiB),
  }),
  importDir: setting({
    variable: 'EARSHOT_IMPORT_DIR',
    group: 'Scheduled tasks',
    defaultText: 'none: tasks that import are refused',
    description:
      'Directory below which tasks find drop folders and documents, each project’s in a folder named by its id; the service must be able to write there.',
    read: plainText(),
  }),
  reportDir: setting({
    variable: 'EARSHOT_REPORT_DIR',
    group: 'Scheduled tasks',
    defaultText: 'none: tasks that write reports are refused',
    description: 'Directory below which tasks write reports, each project’s in a folder named by its id.',
    read: plainText(),
  }),
  s3Bucket: setting({
    variable: 'EARSHOT_S3_BUCKET',
    group: 'Bucket',
    defaultText: 'none: tasks that import from a bucket are refused',
    description:
      'Bucket of S3, or of what speaks its API, into which files are dropped: its name and, behind a slash, the prefix below which each project has a folder named by its id: see [tasks.md](tasks.md#a-bucket).',
    read: plainText().refine(isBucket, 'must be the name of a bucket, or NAME/PREFIX'),
  }),
  s3Url: setting({
    variable: 'EARSHOT_S3_URL',
    group: 'Bucket',
    defaultText: '`https://s3.REGION.amazonaws.com`',
    description:
      'Address of the S3 API, without the bucket, such as https://minio.example.com:9000; https, http only on loopback.',
    read: httpUrl(),
  }),
  s3AllowHttp: setting({
    variable: 'EARSHOT_S3_ALLOW_HTTP',
    group: 'Bucket',
    default: '0',
    description: '1 allows http:// to other machines: calls then cross the network readable by all.',
    read: onOff(),
  }),
  s3Region: setting({
    variable: 'EARSHOT_S3_REGION',
    group: 'Bucket',
    default: 'us-east-1',
    description: 'Region that requests are signed for.',
    read: plainText().refine(text => /^[a-z0-9-]{1,40}$/.test(text), 'must be a region such as eu-central-1'),
  }),
  s3Addressing: setting({
    variable: 'EARSHOT_S3_ADDRESSING',
    group: 'Bucket',
    default: 'path',
    description:
      'Where the name of the bucket stands in addresses: path (host/bucket/key) or virtual (bucket.host/key).',
    read: oneOf('path', 'virtual'),
  }),
  s3AccessKeyId: setting({
    variable: 'EARSHOT_S3_ACCESS_KEY_ID',
    group: 'Bucket',
    description: 'Access key; required with a bucket.',
    read: plainText(),
  }),
  s3SecretAccessKey: setting({
    variable: 'EARSHOT_S3_SECRET_ACCESS_KEY',
    group: 'Bucket',
    description: 'Its secret; required with a bucket.',
    read: secret(1),
  }),
  s3SessionToken: setting({
    variable: 'EARSHOT_S3_SESSION_TOKEN',
    group: 'Bucket',
    description: 'Token of credentials that are for a time.',
    read: secret(1),
  }),
  s3Timeout: setting({
    variable: 'EARSHOT_S3_TIMEOUT',
    group: 'Bucket',
    default: '30s',
    description: 'Longest wait for an answer of the bucket, and for each next piece of one.',
    read: duration(100, HOUR),
  }),
  recordingsDir: setting({
    variable: 'EARSHOT_RECORDINGS_DIR',
    group: 'Recordings',
    defaultText: 'none: no recordings are served',
    description:
      'Directory below which recordings of calls lie, each project’s in a folder named by its id; they are served to those who may hear the call, and erased with it: see [recordings.md](recordings.md).',
    read: plainText(),
  }),
  recordingHosts: setting({
    variable: 'EARSHOT_RECORDING_HOSTS',
    group: 'Recordings',
    defaultText: 'none',
    description:
      'Origins that the console may play recordings from whose calls name an address, such as https://media.example.com, with commas between. The server itself asks none.',
    read: list(isOrigin, 'an origin such as https://media.example.com'),
  }),

  auditRetention: setting({
    variable: 'EARSHOT_AUDIT_RETENTION',
    group: 'Audit trail',
    default: '400d',
    description: 'How long it is on record who asked what.',
    read: duration(DAY, 3_650 * DAY),
  }),
  auditSegmentBytes: setting({
    variable: 'EARSHOT_AUDIT_SEGMENT_BYTES',
    group: 'Audit trail',
    default: '16MiB',
    description: 'Size at which the audit trail goes on in a new file; a day is the longest a file is written to.',
    read: bytes(64 * KiB, GiB),
  }),
  auditStream: setting({
    variable: 'EARSHOT_AUDIT_STREAM',
    group: 'Audit trail',
    defaultText: 'none: it is not streamed',
    description:
      'Where each line of the audit trail is sent too: `syslog+tls://collector.example.com:6514` (RFC 5424 over TLS, RFC 5425) or `file:///var/log/earshot/audit.ndjson`. At least once, from where it stopped; answers never wait for it.',
    read: plainText().refine(isStreamAddress, 'must be syslog+tls://HOST:PORT or file:///PATH'),
  }),
  auditStreamCa: setting({
    variable: 'EARSHOT_AUDIT_STREAM_CA',
    group: 'Audit trail',
    defaultText: 'the certificates that Node trusts',
    description: 'File of certificates (PEM) by which the collector of syslog is trusted, in place of those known.',
    read: plainText(),
  }),
  auditAnchorFile: setting({
    variable: 'EARSHOT_AUDIT_ANCHOR_FILE',
    group: 'Audit trail',
    defaultText: 'none: heads lie beside their files only',
    description:
      'File, best on another machine, to which the signed head of each file of the audit trail is added when it takes no more lines.',
    read: plainText(),
  }),
  auditAnchorUrl: setting({
    variable: 'EARSHOT_AUDIT_ANCHOR_URL',
    group: 'Audit trail',
    defaultText: 'none: heads are posted nowhere',
    description:
      'Address to which each of these signed heads is posted as JSON, at least once and in order; what webhooks may reach holds for it too. https, http only on loopback.',
    read: secureUrl(),
  }),
} as const

/** Keeps the type of the value bound to its reader. */
function setting<T, const D extends string | undefined = undefined>(
  definition: Omit<Setting<T>, 'default'> & { readonly default?: D },
): Omit<Setting<T>, 'default'> & { readonly default: D } {
  return definition as Omit<Setting<T>, 'default'> & { readonly default: D }
}
