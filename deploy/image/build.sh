#!/bin/sh
# The steps that make the container's content, for deploy/Containerfile.
#
#   build.sh packages        installs the packages that the service runs on, from package-lock.json
#   build.sh service <out>   writes the service with these packages to an empty folder
set -eu
cd "$(dirname "$0")/../.."

case "${1:-}" in
  packages)
    npm ci --omit=dev --no-audit --no-fund
    ;;
  service)
    node --import tsx scripts/build-service.ts --out "$2"
    # The workspace of the npm package: the service does not use it.
    rm -f node_modules/agent-identity-protocol
    mv node_modules "$2/node_modules"
    # Readable by all accounts, writable by none: the processes run as another user.
    chmod -R a+rX,go-w "$2"
    ;;
  *)
    echo "Usage: build.sh packages | service <out>" >&2
    exit 2
    ;;
esac
