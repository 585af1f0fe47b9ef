#version 300 es
// A corner of a triangle. Tables are textures with 4096 entries in a row.
precision highp float;
precision highp int;
uniform highp usampler2D corners;
uniform highp usampler2D places;
uniform highp usampler2D values;
uniform bool ofFaces;
uniform vec3 low;         // the place of 0, 0, 0 in the sphere of radius 1
uniform vec3 span;        // that of 65535, 65535, 65535 less it
uniform mat4 forth;       // from the sphere to clip space of the camera

smooth out float shown;
smooth out float missing; // more than 0 on triangles with a corner without a value

ivec2 at(uint i) {
  return ivec2(i & 4095u, i >> 12);
}
void main() {
  uint corner = uint(gl_VertexID);
  uint vertex = texelFetch(corners, at(corner), 0).r;
  uint value = texelFetch(values, at(ofFaces ? corner / 3u : vertex), 0).r;
  missing = value == 65535u ? 1.0 : 0.0;
  shown = value == 65535u ? 0.0 : float(value);
  gl_Position = forth * vec4(low + span * (vec3(texelFetch(places, at(vertex), 0).rgb) / 65535.0), 1);
}
