# The service of `npm start` as an image: `docker build --tag parley .`
# Building needs the network for the packages of the lockfile; nothing of it is needed to run.

FROM node:24.21.0-slim AS build
ENV CI=true
# The path of further certificates, for a network that inspects TLS. Nothing of this stage but /app is kept.
ARG NODE_EXTRA_CA_CERTS
WORKDIR /src
RUN npm install --global pnpm@12.21.0
# The packages first: this layer stays as long as the lockfile does.
COPY pnpm-lock.yaml pnpm-workspace.yaml package.json ./
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline
# tsc -b packages/owner-app, then the console and the bundle of packages/cli.
RUN pnpm run build
# The owner app with what it needs to run, in the versions of the lockfile, and none of what built it.
RUN pnpm --filter @parley/owner-app deploy --prod --offline --config.inject-workspace-packages=true /app

FROM node:24.21.0-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4100 \
    PARLEY_DATA=/data
WORKDIR /app
COPY --from=build /app ./
# The owner's command: docker exec … parley waiting. The folder holds the embedded database, where there is no other.
RUN ln -s /app/bin/parley.js /usr/local/bin/parley \
    && install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 4100
# That the process lives. Whether it takes requests is /readyz, for whoever sends it some.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM answers held polls and closes the storage.
ENTRYPOINT ["parley"]
CMD ["serve"]
