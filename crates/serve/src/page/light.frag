#version 300 es
// Lights the points by normals that their depths have, as the page of a mesh lights faces.
precision highp float;
uniform sampler2D colours;
uniform highp sampler2D depths;
uniform vec4 depthRows;   // P[10], P[14], P[11], P[15]
uniform vec2 across;      // P[0], P[5]
uniform float strength;   // 0: no light
out vec4 pixel;

// towards the viewer and up; the same numbers as in the page of a mesh
const vec3 KEY_WAY = normalize(vec3(-0.45, 0.65, 0.75));
const vec3 FILL_WAY = normalize(vec3(0.7, 0.1, 0.5));

vec3 place(ivec2 at) {
  vec2 size = vec2(textureSize(depths, 0));
  float d = 2.0 * texelFetch(depths, at, 0).r - 1.0;
  float away = (d * depthRows.w - depthRows.y) / (depthRows.x - d * depthRows.z);
  float w = depthRows.z * away + depthRows.w;
  return vec3((2.0 * (vec2(at) + 0.5) / size - 1.0) * w / across, away);
}
bool seen(ivec2 at) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, textureSize(depths, 0))) && texelFetch(depths, at, 0).r < 1.0;
}
// the difference to the nearer neighbour on a line; over silhouettes it is that of the same surface
vec3 slope(ivec2 at, vec3 here, ivec2 way) {
  bool ahead = seen(at + way), back = seen(at - way);
  vec3 a = ahead ? place(at + way) - here : vec3(0), b = back ? here - place(at - way) : vec3(0);
  if (!ahead) return b;
  if (!back) return a;
  return abs(a.z) < abs(b.z) ? a : b;
}
vec3 linear(vec3 x) {
  return mix(x / 12.92, pow((x + 0.055) / 1.055, vec3(2.4)), step(0.04045, x));
}
vec3 srgb(vec3 x) {
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 own = texelFetch(colours, at, 0);
  if (own.a == 0.0) discard;
  if (strength == 0.0) {
    pixel = own;
    return;
  }
  vec3 here = place(at);
  vec3 n = cross(slope(at, here, ivec2(1, 0)), slope(at, here, ivec2(0, 1)));
  n = length(n) > 0.0 ? normalize(n) : vec3(0, 0, 1);
  float light = 0.42 + 0.2 * (0.5 + 0.5 * n.y) + 0.45 * max(dot(n, KEY_WAY), 0.0) + 0.12 * max(dot(n, FILL_WAY), 0.0);
  pixel = vec4(srgb(linear(own.rgb) * light), 1);
}
