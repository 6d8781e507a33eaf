# The shop as an image that runs as an ordinary user. It expects DATABASE_URL; see docker-compose.yml.
# The first administrator: docker exec CONTAINER npm run create-admin -- owner@example.com

FROM node:24-slim AS build
WORKDIR /app
# The packages first: they change less often than the shop does.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# What only builds and tests leaves again, though .npmrc includes it; the image below has what the shop runs on.
RUN npm run build && npm prune --omit=dev --include=prod --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    TSX_TSCONFIG_PATH=api/tsconfig.json
WORKDIR /app
COPY --from=build /app .
# Uploads and resized pictures; a volume mounted here takes over the owner.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself rather than npm around it, so that `docker stop` reaches the shop.
# A bound of memory, and little room for new objects, have Node clean up in time: see docs/reliability.md, "How much memory".
CMD ["node", "--max-old-space-size=1024", "--max-semi-space-size=8", "dist/api/main.js"]
