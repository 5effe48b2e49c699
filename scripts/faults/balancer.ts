/**
 * The settings of haproxy in front of the API. A request goes to the next process where a connection
 * fails. A request that was sent is never repeated: only the client knows whether it may.
 */
export function balancerSettings(port: number, apis: readonly string[]): string {
  const servers = apis.map(
    (api, index) =>
      `  server api-${index + 1} ${new URL(api).host} check inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions`,
  );
  return `global
  maxconn 1000
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  option http-server-close
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
frontend public
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  option httpchk
  http-check send meth GET uri /health ver HTTP/1.1 hdr host balancer
${servers.join("\n")}
`;
}
