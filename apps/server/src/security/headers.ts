/** Headers of every answer, as OWASP's secure headers project asks for an application that nobody frames or embeds. */
export const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
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
 * What a page may load: our own files, and scripts that carry this request's nonce. Style elements need no nonce, since
 * diagrams are measured with styles of their own; images elsewhere may load because a person can ask for one by a click,
 * and nothing that a model writes loads one without it.
 */
export function pagePolicy(nonce: string, dev: boolean): string {
  const scripts = dev ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "media-src 'self' data: blob:",
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
