# A small image of the built product: does not run as root, and writes only to DATA_DIR and /tmp.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Runtime dependencies only, which also suffice for the build. Install scripts are not run.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# The image already has this Node; the one among the dependencies is for other machines.
# docs/api.md stays: the server reads it for its API documentation.
RUN node scripts/build.ts && rm -rf tests bench docs/decisions docs/pictures docs/results.webp .github node_modules/node-linux-*

FROM node:26-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-old-space-size=512", "server/main.ts"]
