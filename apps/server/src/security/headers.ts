/** Headers of every response, as OWASP's secure headers project recommends for an application that is never framed or embedded. */
export const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  // Without it, browsers resolve the host of every displayed link, and a host name can carry out data.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
}

/** What a response that is not a page may load: nothing. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** The same for a file of a message, which a browser that shows it nevertheless treats as a site of its own without scripts. */
export const BLOB_POLICY = `${API_POLICY}; sandbox`

/**
 * What a page may load: our own files, scripts with this response's nonce, and frames of our own, in which diagrams
 * are drawn and remote images are shown. The page itself loads nothing from another host.
 */
export function pagePolicy(nonce: string, dev: boolean): string {
  const scripts = dev ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "media-src 'self' data: blob:",
    "object-src 'none'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
