import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

/** A text and the secret in it. */
export type SecretLine = readonly [text: string, value: string];

const KEY = syntheticSecret(32, 'azAZ09');
const HEX = syntheticSecret(40, '09af');
const LONG_HEX = syntheticSecret(128, '09af');
const SALT = `${syntheticSecret(30, 'azAZ09')}#|{ @${syntheticSecret(24, '!!#&azAZ09')}~^ x9`;
const DJANGO = `django-insecure-${syntheticSecret(24, 'azAZ09')}%$^&(-_=+)${syntheticSecret(16, 'az09')}`;
const LARAVEL = `base64:${syntheticSecret(43, 'azAZ09')}=`;
const PEM_LINE = syntheticSecret(64, 'azAZ09++//');
const FENCE = '-'.repeat(5);
const BEGIN = `${FENCE}BEGIN RSA PRIVATE KEY${FENCE}`;
const END = `${FENCE}END RSA PRIVATE KEY${FENCE}`;

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function pem(newline: string): SecretLine {
  const value = [BEGIN, PEM_LINE, PEM_LINE, END].join(newline);
  return [`key = "${value}"`, value];
}

/** One finding of this value is expected in each line; written for this test. */
export const SECRET_LINES: Readonly<Record<string, readonly SecretLine[]>> = {
  'an assignment': [
    ['password=hunter22', 'hunter22'],
    ['password = "tr0ub4dor&3"', 'tr0ub4dor&3'],
    ["const dbPassword = 'S3same!open';", 'S3same!open'],
    ['String password = "letmein-2019";', 'letmein-2019'],
    ['export PGPASSWORD=9kQz-77xW', '9kQz-77xW'],
    ['DB_PASS=Winter2024!', 'Winter2024!'],
    ['MYSQL_ROOT_PASSWORD=opensesame', 'opensesame'],
    ['spring.datasource.password=sommerwind', 'sommerwind'],
    ['  "password": "h7!kLm2"', 'h7!kLm2'],
    ["{'user': 'ann', 'passwd': 'Gr33nTea'}", 'Gr33nTea'],
    ["config['password'] = 'blue7Whale'", 'blue7Whale'],
    ['$password = "Zebra#42";', 'Zebra#42'],
    ['my $passwd = "Zebra#42";', 'Zebra#42'],
    ['let passphrase: &str = "seven small owls";', 'seven small owls'],
    ['adminPwd := "gopher!9"', 'gopher!9'],
    ['<password>hunter22</password>', 'hunter22'],
    ['user.password = "hunter22"', 'hunter22'],
    ['#define WIFI_PASSWORD "home4sweet"', 'home4sweet'],
  ],
  'a call': [
    ["define('DB_PASSWORD', 'tr0ub4dor&3');", 'tr0ub4dor&3'],
    ['define("FTP_PASS","Zebra#42");', 'Zebra#42'],
    ["define( 'DB_PASSWORD', 'sommerwind' );", 'sommerwind'],
    ['account.setPassword("S3same!open");', 'S3same!open'],
    ["ds.set_password('hunter22')", 'hunter22'],
    ['builder.withPassword("gopher!9")', 'gopher!9'],
    ['client.password("blue7Whale").build()', 'blue7Whale'],
    ['properties.setProperty("db.password", "Gr33nTea");', 'Gr33nTea'],
    ['props.put("password", "Gr33nTea");', 'Gr33nTea'],
    ["os.environ.setdefault('DB_PASSWORD', 'Gr33nTea')", 'Gr33nTea'],
  ],
  'a hash rocket': [
    [":password => 'tr0ub4dor&3'", 'tr0ub4dor&3'],
    ['"password" => "hunter22",', 'hunter22'],
    ["'db_pass' => 'Zebra#42',", 'Zebra#42'],
    ["password: 'blue7Whale',", 'blue7Whale'],
  ],
  'a name and a value apart': [
    ['<add key="DbPassword" value="tr0ub4dor&amp;3"/>', 'tr0ub4dor&amp;3'],
    ['<add key="Smtp.Password" value="hunter22" />', 'hunter22'],
    ['<property name="password" value="Zebra#42"/>', 'Zebra#42'],
    ["<entry key='password' value='Zebra#42'/>", 'Zebra#42'],
    ['<property name="password">Zebra#42</property>', 'Zebra#42'],
    ['{"name": "DB_PASSWORD", "value": "gopher!9"}', 'gopher!9'],
    ['- name: DB_PASSWORD\n  value: gopher!9\n', 'gopher!9'],
    ['- name: DB_PASSWORD\n  value: "gopher!9"\n', 'gopher!9'],
    [`- name: API_TOKEN\n  value: ${KEY}\n`, KEY],
    [`<add key="ApiKey" value="${KEY}"/>`, KEY],
  ],
  'a command line': [
    ['mysqldump --password hunter22 shop', 'hunter22'],
    ['mysqldump --password=hunter22 shop', 'hunter22'],
    ["docker login -u ann --password 'tr0ub4dor&3' ghcr.io", 'tr0ub4dor&3'],
    ['keytool -storepass Gr33nTea -list', 'Gr33nTea'],
    ['sshpass -p S3same9 ssh ann@host', 'S3same9'],
    ['curl -u ann:tr0ub4dor3 https://api.acme.example', 'tr0ub4dor3'],
    ["curl -s --user 'svc:Zebra#42' https://api.acme.example", 'Zebra#42'],
    ['curl -X POST \\\n  -u svc:blue7Whale \\\n  https://x.example', 'blue7Whale'],
    ["mongo --username ann --passwd 'gopher!9'", 'gopher!9'],
    ['openssl rsa -passin pass:Winter2024 -in k.pem', 'Winter2024'],
    [`vault login -token=${KEY}`, KEY],
    [`deploy --api-key ${KEY}`, KEY],
    [`deploy --token "${HEX}"`, HEX],
  ],
  'a statement': [
    ["CREATE USER ann WITH PASSWORD 'tr0ub4dor&3';", 'tr0ub4dor&3'],
    ["ALTER USER 'ann'@'%' IDENTIFIED BY 'Zebra#42';", 'Zebra#42'],
    ["create role app login password 'gopher!9';", 'gopher!9'],
    ['requirepass Zebra42owl', 'Zebra42owl'],
    ['password "hunter22"', 'hunter22'],
    ['  password: "hunter22"', 'hunter22'],
    ['  psk="home4sweet"', 'home4sweet'],
    ['username ann password 0 Gr33nTea', 'Gr33nTea'],
    ['machine api.acme.example login ann password Gr33nTea', 'Gr33nTea'],
    ['db.acme.example:5432:shop:app:Gr33nTea', 'Gr33nTea'],
    ['*:*:*:app:Gr33nTea', 'Gr33nTea'],
  ],
  'an address': [
    ['postgres://app:tr0ub4dor@db.acme.example/main', 'tr0ub4dor'],
    ['jdbc:mysql://db/shop?user=app&password=Gr33nTea', 'Gr33nTea'],
    [`GET /v1/items?token=${KEY} HTTP/1.1`, KEY],
    [`https://api.acme.example/v1?page=2&access_token=${HEX}&x=1`, HEX],
    [`https://api.acme.example/v1?api_key=${KEY}#top`, KEY],
    [`fetch("https://maps.acme.example/js?key=${KEY}&v=3")`, KEY],
    ['Server=db1;Database=shop;User Id=sa;Password=tr0ub4dor;', 'tr0ub4dor'],
    ['https://x.example/login?user=ann&password=Gr33nTea&next=a', 'Gr33nTea'],
  ],
  'a header': [
    [`Authorization: Basic ${base64('svc:tr0ub4dor&3')}`, base64('svc:tr0ub4dor&3')],
    [`headers['Authorization'] = 'Basic ${base64('ann:Zebra#42')}'`, base64('ann:Zebra#42')],
    [`req.setHeader("Authorization", "Basic ${base64('ann:Zebra#42')}")`, base64('ann:Zebra#42')],
    [`Authorization: Bearer ${HEX}`, HEX],
    [`X-Api-Key: ${KEY}`, KEY],
    [`-H "X-Auth-Token: ${KEY}"`, KEY],
    [`Proxy-Authorization: Basic ${base64('svc:tr0ub4dor')}`, base64('svc:tr0ub4dor')],
    [`private-token: ${KEY}`, KEY],
  ],
  'a sentence': [
    ['The password is tr0ub4dor&3.', 'tr0ub4dor&3'],
    ['The password is "sommerwind", please change it.', 'sommerwind'],
    ['your new password is: Gr33nTea', 'Gr33nTea'],
    ['Log in as ann with password Gr33nTea9 and look.', 'Gr33nTea9'],
    ['Password: Winter2024', 'Winter2024'],
    ['Login: ann / Password: Winter2024', 'Winter2024'],
    ['pw: Zebra#42', 'Zebra#42'],
    ['The Wi-Fi password was home4sweet', 'home4sweet'],
  ],
  'a block': [
    ['password: |\n  hunter22\nuser: ann\n', 'hunter22'],
    ['db_password: >-\n    tr0ub4dor&3\n', 'tr0ub4dor&3'],
    ['password = <<EOF\nhunter22\nEOF\n', 'hunter22'],
    ["PASSWORD=$(cat <<'EOF'\nhunter22\nEOF\n)", 'hunter22'],
    ['cat > .env <<EOF\nDB_PASSWORD=Gr33nTea\nEOF\n', 'Gr33nTea'],
    [`api_key: |-\n  ${KEY}\n`, KEY],
    ['read -r PASSWORD <<EOF\nhunter22\nEOF\n', 'hunter22'],
  ],
  'infrastructure as code': [
    ['variable "db_password" {\n  type = string\n  default = "Gr33nTea"\n}', 'Gr33nTea'],
    ['  master_password     = "Gr33nTea"', 'Gr33nTea'],
    ['"db_password": {\n  "value": "Gr33nTea",\n  "type": "string"\n}', 'Gr33nTea'],
    ['"attributes": {"password": "Gr33nTea", "port": 5432}', 'Gr33nTea'],
    ['ENV DB_PASSWORD Gr33nTea', 'Gr33nTea'],
    ['ENV DB_PASSWORD=Gr33nTea', 'Gr33nTea'],
    ['ARG DB_PASSWORD=Gr33nTea', 'Gr33nTea'],
    [`ENV API_TOKEN ${KEY}`, KEY],
    [`ARG NPM_TOKEN="${KEY}"`, KEY],
    ['      - POSTGRES_PASSWORD=Gr33nTea', 'Gr33nTea'],
    ['      POSTGRES_PASSWORD: Gr33nTea', 'Gr33nTea'],
    ['ansible_password: Gr33nTea', 'Gr33nTea'],
    ['web1 ansible_host=10.0.0.1 ansible_ssh_pass=Gr33nTea', 'Gr33nTea'],
    ['ansible_become_pass: "Gr33nTea"', 'Gr33nTea'],
    ['  mysql_user: name=app password=Gr33nTea state=present', 'Gr33nTea'],
    [`kind: Secret\ndata:\n  x: ${base64('Gr33nTea')}\n`, base64('Gr33nTea')],
    [`kind: Secret\ndata:\n  user: YW5u\n  password: ${base64('Gr33nTea')}\n`, base64('Gr33nTea')],
    ['kind: Secret\nstringData:\n  password: Gr33nTea\n', 'Gr33nTea'],
    [`users:\n- name: ann\n  user:\n    token: ${KEY}\n`, KEY],
    ['users:\n- name: ann\n  user:\n    password: Gr33nTea\n    username: x\n', 'Gr33nTea'],
    [
      `.dockerconfigjson: ${base64(`{"auths":{"ghcr.io":{"auth":"${base64('ann:Gr33nTea')}"}}}`)}`,
      base64(`{"auths":{"ghcr.io":{"auth":"${base64('ann:Gr33nTea')}"}}}`),
    ],
  ],
  'a notebook': [
    ['"source": [\n "password = \\"Gr33nTea\\"\\n",\n', 'Gr33nTea'],
    ['"source": [\n "password = \'Gr33nTea\'\\n",\n', 'Gr33nTea'],
    ['"source": [\n "%env DB_PASSWORD=Gr33nTea\\n",\n', 'Gr33nTea'],
    [`"source": [\n "%env API_TOKEN=${KEY}\\n",\n`, KEY],
    [`"source": [\n "os.environ['API_TOKEN'] = '${KEY}'\\n",\n`, KEY],
  ],
  'a package registry': [
    [`//registry.acme.example/:_authToken=${KEY}`, KEY],
    [`_auth=${base64('ann:Gr33nTea')}`, base64('ann:Gr33nTea')],
    [`//registry.acme.example/:_password=${base64('Gr33nTea')}`, base64('Gr33nTea')],
    ['[pypi]\nusername = ann\npassword = Gr33nTea\n', 'Gr33nTea'],
  ],
  'a framework': [
    [`SECRET_KEY = '${DJANGO}'`, DJANGO],
    [`secret_key_base: ${LONG_HEX}`, LONG_HEX],
    [`SECRET_KEY_BASE=${LONG_HEX}`, LONG_HEX],
    [`config.secret_token = '${LONG_HEX}'`, LONG_HEX],
    [`APP_KEY=${LARAVEL}`, LARAVEL],
    [`define('AUTH_KEY', '${SALT}');`, SALT],
    [`define( 'NONCE_SALT',       '${SALT}' );`, SALT],
    [`app.secret_key = '${KEY}'`, KEY],
    [`JWT_SECRET=${KEY}`, KEY],
    [`'cookieValidationKey' => '${KEY}',`, KEY],
  ],
  'a key': [
    [`payment_key = "${KEY}"`, KEY],
    [`paymentKey: "${KEY}"`, KEY],
    [`MAPS_KEY=${KEY}`, KEY],
    [`"licenceKey": "${HEX}"`, HEX],
    [`access_key = "${KEY}"`, KEY],
    [`<api-key>${KEY}</api-key>`, KEY],
    [`apikey: '${KEY}'`, KEY],
    [`client_secret=${KEY}`, KEY],
    [`encryptionKey = "${HEX}"`, HEX],
  ],
  'PEM in source code': [
    pem('\n'),
    pem('\\n'),
    pem('\\n" +\n      "'),
    pem("\\n' .\n  '"),
    pem('\\n"\n    "'),
    pem('\\n\\\n'),
    pem('\n * '),
    pem('\n# '),
    pem('\n    '),
  ],
};

/** The label, in the language of the key, and the secret. */
export const PASSWORD_LABELS: Readonly<Record<string, readonly SecretLine[]>> = {
  Czech: [
    ['Heslo: Gr33nTea', 'Gr33nTea'],
    ['heslo = kocourek7', 'kocourek7'],
  ],
  Danish: [
    ['Adgangskode: Gr33nTea', 'Gr33nTea'],
    ['kodeord: Gr33nTea', 'Gr33nTea'],
  ],
  Dutch: [
    ['Wachtwoord: Gr33nTea', 'Gr33nTea'],
    ['Het wachtwoord is Gr33nTea.', 'Gr33nTea'],
  ],
  English: [
    ['Password: Gr33nTea', 'Gr33nTea'],
    ['Passcode : Gr33nTea', 'Gr33nTea'],
  ],
  Finnish: [
    ['Salasana: Gr33nTea', 'Gr33nTea'],
    ['salasana = Gr33nTea', 'Gr33nTea'],
  ],
  French: [
    ['Mot de passe : Gr33nTea', 'Gr33nTea'],
    ['mot_de_passe="Gr33nTea"', 'Gr33nTea'],
    ['le mot de passe est Gr33nTea', 'Gr33nTea'],
  ],
  German: [
    ['Passwort: Gr33nTea', 'Gr33nTea'],
    ['Kennwort: Gr33nTea', 'Gr33nTea'],
    ['Das Passwort lautet Gr33nTea.', 'Gr33nTea'],
    ['WLAN-Passwort: Gr33nTea', 'Gr33nTea'],
    ['db_passwort = "Gr33nTea"', 'Gr33nTea'],
  ],
  Hungarian: [
    ['Jelszó: Gr33nTea', 'Gr33nTea'],
    ['jelszo=Gr33nTea', 'Gr33nTea'],
  ],
  Italian: [
    ["parola d'ordine: Gr33nTea", 'Gr33nTea'],
    ['La password è Gr33nTea', 'Gr33nTea'],
  ],
  Japanese: [
    ['パスワード：Gr33nTea', 'Gr33nTea'],
    ['パスワード: Gr33nTea', 'Gr33nTea'],
    ['パスワードは Gr33nTea です', 'Gr33nTea'],
    ['暗証番号：4817', '4817'],
  ],
  Korean: [
    ['비밀번호: Gr33nTea', 'Gr33nTea'],
    ['암호: Gr33nTea', 'Gr33nTea'],
  ],
  Norwegian: [
    ['Passord: Gr33nTea', 'Gr33nTea'],
    ['passord = "Gr33nTea"', 'Gr33nTea'],
  ],
  Polish: [
    ['Hasło: Gr33nTea', 'Gr33nTea'],
    ['haslo=Gr33nTea', 'Gr33nTea'],
    ['hasło to Gr33nTea', 'Gr33nTea'],
  ],
  Portuguese: [
    ['Senha: Gr33nTea', 'Gr33nTea'],
    ['palavra-passe: Gr33nTea', 'Gr33nTea'],
    ['A senha é Gr33nTea', 'Gr33nTea'],
  ],
  Romanian: [
    ['Parolă: Gr33nTea', 'Gr33nTea'],
    ['parola: Gr33nTea', 'Gr33nTea'],
  ],
  Russian: [
    ['Пароль: Gr33nTea', 'Gr33nTea'],
    ['пароль = "Gr33nTea"', 'Gr33nTea'],
  ],
  Spanish: [
    ['Contraseña: Gr33nTea', 'Gr33nTea'],
    ['contrasena = "Gr33nTea"', 'Gr33nTea'],
    ['la contraseña es Gr33nTea', 'Gr33nTea'],
  ],
  Swedish: [
    ['Lösenord: Gr33nTea', 'Gr33nTea'],
    ['losenord=Gr33nTea', 'Gr33nTea'],
  ],
  Turkish: [
    ['Şifre: Gr33nTea', 'Gr33nTea'],
    ['Parola: Gr33nTea', 'Gr33nTea'],
    ['sifre = "Gr33nTea"', 'Gr33nTea'],
  ],
  Chinese: [
    ['密码：Gr33nTea', 'Gr33nTea'],
    ['密碼: Gr33nTea', 'Gr33nTea'],
  ],
};
