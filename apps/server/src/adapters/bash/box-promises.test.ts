import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listenAt } from '../../testing/listen-at.ts'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

/**
 * A program that attempts what a command must not be able to do, and prints the name of each attempt that succeeds. The paths, ports
 * and ids that it attacks are its variables.
 */
const ATTEMPTS = String.raw`
try() { local name=$1; shift; if ( "$@" ) >/dev/null 2>&1; then echo "$name"; fi; }
sh() { bash -c "$1"; }
export -f sh

# Writing outside
try 'writes a file outside' sh 'echo x > "$LAB/other"'
try 'makes a file outside' sh 'echo x > "$LAB/made"'
for folder in / /etc /usr /bin /opt /var/tmp /root /home /srv /boot /dev /proc /sys /run/..; do
  try "makes a file in $folder" sh "echo x > '$folder/made-by-command'"
done
try 'links a file outside into the workspace' sh 'ln "$LAB/other" hard && echo x > hard'
try 'writes through a link' sh 'ln -s "$LAB/other" soft && echo x > soft'
try 'writes through /proc/self/root' sh 'echo x > "/proc/self/root$LAB/other"'
try 'writes through /proc/1/root' sh 'echo x > "/proc/1/root$LAB/other"'
try 'writes through the folder above an open one' sh 'cd "$PWD/.." && echo x > made'

# The kernel
for file in kernel/core_pattern kernel/hostname kernel/modprobe vm/swappiness vm/drop_caches net/ipv4/ip_forward fs/suid_dumpable; do
  try "writes /proc/sys/$file" sh "cat /proc/sys/$file > /tmp/v; cat /tmp/v > /proc/sys/$file"
done
try 'reads /proc/kcore' sh 'head -c 1 /proc/kcore | grep -q .'
try 'writes /proc/sysrq-trigger' sh 'echo h > /proc/sysrq-trigger'
try 'writes in /sys' sh 'for f in /sys/kernel/uevent_helper /sys/kernel/profiling /sys/module/*/parameters/*; do cat $f > /tmp/v && cat /tmp/v > $f && exit 0; done; exit 1'
try 'reads /dev/mem' sh 'head -c 1 /dev/mem'
try 'makes a device' sh 'mknod made b 8 0 && head -c 1 made'
for device in kmsg kvm fuse loop-control vda sda mem port; do try "opens /dev/$device" sh "exec 3</dev/$device"; done
try 'mounts' sh 'mkdir -p m && mount -t tmpfs none m'
try 'binds' sh 'mount --bind /etc /tmp'
try 'makes the root writable' sh 'mount -o remount,rw /'
try 'unmounts a protected folder' sh 'umount .git/hooks || umount -l data || umount .git'
try 'makes a user namespace' unshare -Ur true
try 'makes a mount namespace' unshare -m true
try 'enters the namespaces of another' nsenter -t 1 -n true
try 'has a capability' sh 'grep -E "Cap(Prm|Eff|Bnd|Amb):" /proc/self/status | grep -qv 0000000000000000'
try 'gains rights' sh 'grep -q "NoNewPrivs:.*0" /proc/self/status'
try 'becomes another user' sh 'command -v setpriv && setpriv --reuid 12345 --clear-groups true'
try 'runs a setuid program as another user' sh 'cp /usr/bin/id made-id && chown 12345 made-id && chmod u+s made-id && ./made-id | grep euid'
try 'changes the clock' sh 'date -s "$(date)"'
try 'changes the name of the machine' sh 'hostname made && hostname | grep made'
try 'loads a module' sh 'modprobe dummy || insmod /tmp/x'

# The network
try 'connects by IPv4' sh 'exec 3<>/dev/tcp/127.0.0.1/$PORT'
try 'connects by IPv6' sh 'exec 3<>/dev/tcp/::1/$PORT'
try 'connects to another host' sh 'exec 3<>/dev/tcp/192.0.2.1/80'
try 'resolves names' getent ahosts example.com
try 'has another link than lo' sh 'tail -n +3 /proc/net/dev | grep -qv "lo:"'
try 'connects to a socket in a file' python3 -c 'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["SOCKET"])'
try 'connects to an abstract socket' python3 -c 'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect("\0"+os.environ["ABSTRACT"])'

# Secrets
try 'reads a key' sh 'cat "$LAB/home/.ssh/id_rsa"'
try 'reads a key by a link' sh 'cat "$LAB/work/to-key" || cat "$LAB/home/.aws/credentials"'
try 'reads the data' sh 'cat "$LAB/work/data/palimpsest.db" || cat "$LAB/work/to-data/palimpsest.db"'
try 'lists the data' sh 'ls -A "$LAB/work/data" | grep -v outputs'
try 'fills the covered data' sh 'echo x > "$LAB/work/data/made"'
try 'moves the data away' sh 'mv "$LAB/work/data" "$LAB/work/moved" || mv "$LAB/work" "$LAB/moved"'
try 'reads an environment' sh 'cat /proc/*/environ | tr "\0" "\n" | grep -q "^VITEST"'
try 'reads the memory of the server' sh 'head -c 1 /proc/$SERVER/mem'
try 'sees the server' sh 'kill -0 $SERVER && grep -q vitest /proc/$SERVER/cmdline'
try 'sees any process outside' sh '[ "$(ls -d /proc/[0-9]* | wc -l)" -gt 20 ]'
try 'reads the log of the kernel' dmesg
try 'reads shadow' sh 'grep -q . /etc/shadow'

# The processes of the server
try 'kills the victim' sh 'kill -9 $VICTIM'
try 'traces the victim' sh 'command -v strace && timeout 1 strace -p $VICTIM'
try 'has an inherited descriptor' sh 'for fd in /proc/'$$'/fd/*; do n=$(basename $fd); [ "$n" -gt 2 ] && [ "$n" -lt 255 ] && exit 0; done; exit 1'
try 'has an inherited descriptor in its first process' sh 'ls -l /proc/1/fd | grep -qE "$LAB|pipe:" && exit 0; exit 1'
try 'types into a terminal' python3 -c 'import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, b"x")'
try 'has a terminal' sh 'exec 3<>/dev/tty'
try 'shares memory' sh 'ipcs -m | grep -q 0x'
try 'leaves a process' sh 'setsid sleep 86407 & false'
exit 0
`

/** What only a command that may write has to be kept from. */
const WRITING = `
for file in .git/hooks/pre-commit .git/config .mcp.json palimpsest.config.json; do
  try "changes $file" sh "echo x >> $file"
  try "replaces $file" sh "cp a.txt made-file; mv -f made-file $file"
  try "links $file" sh "ln -f a.txt $file || ln -sf a.txt $file"
done
try 'renames .git' mv .git made-git
try 'renames hooks' mv .git/hooks .git/made-hooks
try 'removes hooks' rm -rf .git/hooks
try 'exchanges .git' python3 -c 'import ctypes; l=ctypes.CDLL(None); import os; os.mkdir("ex"); exit(0 if l.renameat2(-100,b".git",-100,b"ex",2)==0 else 1)'
try 'exchanges a parent' python3 -c 'import ctypes; l=ctypes.CDLL(None); import os; os.mkdir("ey"); exit(0 if l.renameat2(-100,b"data",-100,b"ey",2)==0 else 1)'
exit 0
`

test.for(['read', 'write'] as const)(
  'SX-13 a program that attempts each of what a command must not do succeeds with none, with the access %s',
  async (access) => {
    await using lab = await openSandboxLab({
      files: { 'work/palimpsest.config.json': '{}', 'work/.mcp.json': '{}', 'keys/credentials': 'secret' },
    })
    await symlink(join(lab.path, 'home/.ssh/id_rsa'), join(lab.root, 'to-key'))
    await symlink(join(lab.root, 'data'), join(lab.root, 'to-data'))
    await symlink(join(lab.path, 'keys'), join(lab.path, 'home/.aws'))
    await mkdir(join(lab.path, 'sockets'))
    const socket = join(lab.path, 'sockets/server')
    const name = `palimpsest-test-${process.pid}-${access}`
    using server = await listenAt(0)
    using _file = await listenAt(socket)
    using _abstract = await listenAt(`\0${name}`)
    const victim = spawn('sleep', ['600'])
    const values = {
      LAB: lab.path,
      PORT: server.port,
      SOCKET: socket,
      ABSTRACT: name,
      SERVER: process.pid,
      VICTIM: victim.pid ?? 0,
    }
    const exported = Object.entries(values).map(([key, value]) => `export ${key}='${value}'`)
    const script = ATTEMPTS.replace(/exit 0\n$/, access === 'write' ? WRITING : 'exit 0\n')
    const { text, code } = await lab.run([...exported, script].join('\n'), access)
    const left = spawn('pgrep', ['-f', 'sleep 86407'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const found = await new Promise((resolve) => left.on('exit', resolve))
    const isAlive = victim.exitCode === null && victim.signalCode === null
    victim.kill()
    expect({ succeeded: text.split('\n').filter((line) => line !== ''), code }).toEqual({
      succeeded: [],
      code: 0,
    })
    expect({ isAlive, found }).toEqual({ isAlive: true, found: 1 })
    expect(await readFile(join(lab.path, 'other'), 'utf8')).toBe('other')
    expect(await readFile(join(lab.root, 'data/palimpsest.db'), 'utf8')).toBe('secret')
  },
)
