/** Headers of every answer, as OWASP's secure headers project asks for an application that nobody frames or embeds. */
export const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  // A link that is only shown has its host looked up otherwise, and a host name can carry out what was said.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
}

/** What an answer that is no page may load: nothing. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * What a page may load: our own files, scripts that carry this request's nonce, and frames of our own, in which diagrams
 * are drawn and images from elsewhere are shown. Nothing of the page itself is loaded from another host.
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
