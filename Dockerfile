# syntax=docker/dockerfile:1

# A current line of Node. For oneself the tag will do; a release names the digest (scripts/release.mjs, which builds no image without):
# --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY bin bin
COPY scripts scripts
COPY rubrics rubrics
COPY console console
COPY src src
# Installs and, by the script "prepare", builds; then leaves only what runs: of source maps those of the program, no types.
RUN npm ci --no-audit --no-fund \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -delete \
 && find node_modules -type d -empty -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    EARSHOT_DATA_DIR=/data \
    HOST=0.0.0.0 \
    MCP_SERVER_ENABLED=1
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/program dist/program
COPY --from=build /build/dist/rubrics dist/rubrics
COPY --from=build /build/dist/web dist/web
COPY --from=build /build/dist/views dist/views
COPY bin bin
COPY LICENSE README.md SECURITY.md CHANGELOG.md ./
RUN ln -s /app/bin/earshot.cjs /usr/local/bin/earshot \
 && chmod 755 /app/bin/earshot.cjs \
 && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8000 8001
# Alive, not ready: a full disk makes it unready, and a restart would not help.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const tls = process.env.EARSHOT_TLS_CERT ? 's' : ''; require(`http${tls}`).get(`http${tls}://127.0.0.1:${process.env.PORT || 8000}/health`, { rejectUnauthorized: false, signal: AbortSignal.timeout(4000) }, answer => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node is the first process itself, so that it gets SIGTERM. Ending takes 10 s and a little, behind EARSHOT_DRAIN_WAIT: docker run --stop-timeout 30.
ENTRYPOINT ["node", "/app/bin/earshot.cjs"]
CMD ["serve"]
