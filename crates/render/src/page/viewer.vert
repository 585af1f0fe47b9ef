#version 300 es
// Draws three vertices per face without buffers: everything is looked up by the number of the corner.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;

uniform usampler2D indices;
uniform sampler2D positions;
uniform usampler2D normals;
uniform sampler2D colours;
uniform usampler2D places;

// From the mesh's axes to x right, y up, z towards the viewer.
uniform mat3 turn;
uniform vec3 target;
// Half the width and height of what is seen: at distance 1 in perspective, else anywhere.
uniform vec2 halfSize;
// Distance of the eye from the target in perspective, else 0.
uniform float eye;
// Least and greatest distance from the eye, or else from the target.
uniform vec2 depth;

out vec3 place;
out vec3 normal;
out vec3 weights;
out vec3 colour;
out float scale;
flat out vec3 faceNormal;
flat out int known;

ivec2 at(uint i, ivec2 size) {
  return ivec2(int(i) % size.x, int(i) / size.x);
}
vec3 position(uint v) {
  return texelFetch(positions, at(v, textureSize(positions, 0)), 0).xyz;
}
// A unit vector from an octahedron's net (Cigolle et al., A survey of efficient representations for independent unit
// vectors, 2014); zero where there is none.
vec3 direction(uint net) {
  if (net == 0x80008000u) return vec3(0);
  vec2 p = vec2(int(net << 16) >> 16, int(net) >> 16) / 32767.0;
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
  return normalize(n);
}

// The amount of light of a colour in sRGB.
vec3 linear(vec3 x) {
  return mix(x / 12.92, pow((x + 0.055) / 1.055, vec3(2.4)), step(0.04045, x));
}

void main() {
  int corner = gl_VertexID % 3;
  uint face = uint(gl_VertexID / 3);
  uvec3 v;
  for (int i = 0; i < 3; i++) v[i] = texelFetch(indices, at(3u * face + uint(i), textureSize(indices, 0)), 0).x;
  vec3 a = position(v.x), b = position(v.y), c = position(v.z);
  vec3 p = turn * ((corner == 0 ? a : corner == 1 ? b : c) - target);

  // scaled first, so that the product of short sides does not vanish
  vec3 ab = b - a, ac = c - a;
  float longest = max(max(length(ab), length(ac)), 1e-30);
  vec3 n = cross(ab / longest, ac / longest);
  faceNormal = n == vec3(0) ? n : normalize(n);
  normal = direction(texelFetch(normals, at(v[corner], textureSize(normals, 0)), 0).x);
  weights = vec3(corner == 0, corner == 1, corner == 2);

  colour = vec3(0);
  scale = 0.0;
  known = 1;
#ifdef VERTICES
  colour = linear(texelFetch(colours, at(v[corner], textureSize(colours, 0)), 0).rgb);
#endif
#ifdef FACES
  colour = linear(texelFetch(colours, at(face, textureSize(colours, 0)), 0).rgb);
#endif
#ifdef SCALAR
  for (int i = 0; i < 3; i++) {
    uint number = texelFetch(places, at(v[i], textureSize(places, 0)), 0).x;
    if (number == 65535u) known = 0;
    if (i == corner) scale = float(number) / 65534.0;
  }
#endif

  place = p - vec3(0, 0, eye);
  if (eye > 0.0) {
    float near = depth.x, far = depth.y;
    float z = (-(far + near) * place.z - 2.0 * far * near) / (far - near);
    gl_Position = vec4(place.xy / halfSize, z, -place.z);
  } else {
    gl_Position = vec4(p.xy / halfSize, -p.z / depth.y, 1);
  }
}
