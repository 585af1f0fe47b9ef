#version 300 es
// The lamps of the pictures that are drawn without a browser.
precision highp float;
precision highp int;

uniform mat3 turn;
uniform float eye;
uniform bool smoothly;
// Width of edges in pixels; 0 draws none.
uniform float edges;
uniform vec3 edgeColour;
uniform vec3 plain;
uniform vec3 noValue;
uniform sampler2D scaleColours;

in vec3 place;
in vec3 normal;
in vec3 weights;
in vec3 colour;
in float scale;
flat in vec3 faceNormal;
flat in int known;
out vec4 pixel;

const vec3 SKY = vec3(0.46, 0.49, 0.55), GROUND = vec3(0.21, 0.19, 0.175);
const vec3 KEY = vec3(0.80, 0.775, 0.73), FILL = vec3(0.08, 0.10, 0.14);
const vec3 TO_KEY = vec3(-0.45, 0.65, 0.61), TO_FILL = vec3(0.85, 0.10, 0.50);

vec3 linear(vec3 x) {
  return mix(x / 12.92, pow((x + 0.055) / 1.055, vec3(2.4)), step(0.04045, x));
}
vec3 srgb(vec3 x) {
  x = clamp(x, 0.0, 1.0);
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

vec3 albedo(vec3 own) {
#if defined(VERTICES) || defined(FACES)
  return colour;
#elif defined(SCALAR)
  float last = float(textureSize(scaleColours, 0).x) - 1.0;
  vec2 at = vec2((0.5 + scale * last) / (last + 1.0), 0.5);
  return linear(known == 1 ? texture(scaleColours, at).rgb : noValue);
#elif defined(NORMALS)
  return linear(0.5 + 0.5 * own);
#else
  return linear(plain);
#endif
}

void main() {
  vec3 own = smoothly && length(normal) > 1e-3 ? normalize(normal) : faceNormal;
  vec3 toward = eye > 0.0 ? normalize(-place) : vec3(0, 0, 1);
  vec3 flatly = turn * faceNormal;
  float side = dot(flatly, toward) < 0.0 ? -1.0 : 1.0;
  vec3 n = turn * own * side;
  if (dot(n, flatly * side) < 0.05) n = flatly * side;

  vec3 light = mix(GROUND, SKY, 0.5 + 0.5 * n.y) + KEY * max(dot(n, TO_KEY), 0.0) + FILL * max(dot(n, TO_FILL), 0.0);
  float gloss = 0.07 * pow(max(dot(n, normalize(TO_KEY + toward)), 0.0), 36.0);
  vec3 sent = albedo(own) * light + gloss;
  if (edges > 0.0) {
    vec3 across = dFdx(weights), down = dFdy(weights);
    vec3 change = max(sqrt(across * across + down * down), 1e-9);
    vec3 away = weights / change;
    float line = 1.0 - smoothstep(0.5 * edges - 0.5, 0.5 * edges + 0.5, min(min(away.x, away.y), away.z));
    // lines would leave nothing else of a face that is hardly wider than they are
    float height = 1.0 / max(max(change.x, change.y), change.z);
    sent = mix(sent, linear(edgeColour), line * min(height / (6.0 * edges), 1.0));
  }
  pixel = vec4(srgb(sent), 1);
}
