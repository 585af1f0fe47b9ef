#version 300 es
// A visible point of a frame, seen from a camera that may be another one (Mueller-Roemer 2020, equations 6.4
// to 6.6).
precision highp float;
precision highp int;
layout(location = 0) in uint pixel;
layout(location = 1) in float value;
layout(location = 2) in float depth;

uniform uvec2 size;       // pixels of the frame
uniform mat4 back;        // from clip space of the frame's camera to the sphere of radius 1
uniform vec4 depthRows;   // P[10], P[14], P[11], P[15] of the frame's camera
uniform vec3 depthScale;  // the distance of depth 0, that of depth 1 less it; 0 if depths are of the window
uniform mat4 forth;       // from the sphere to clip space of the camera
uniform float spread;     // pixels of the canvas for a pixel of the frame at the same distance
uniform float behind;     // how far the point is moved away, as a part of the depth

flat out float shown;
flat out uint number;

void main() {
  vec2 at = 2.0 * (vec2(pixel % size.x, pixel / size.x) + 0.5) / vec2(size) - 1.0;
  float w, z;
  if (depthScale.z > 0.5) {
    float away = -(depthScale.x + depth * depthScale.y);
    z = depthRows.x * away + depthRows.y;
    w = depthRows.z * away + depthRows.w;
  } else {
    // w from the window depth: the row of w is a multiple of the row of z and a constant
    float d = 2.0 * depth - 1.0;
    float away = (d * depthRows.w - depthRows.y) / (depthRows.x - d * depthRows.z);
    w = depthRows.z * away + depthRows.w;
    z = d * w;
  }
  vec4 place = back * vec4(at * w, z, w);
  vec4 clip = forth * place;
  gl_PointSize = clamp(ceil(spread * w / clip.w * place.w - 0.01), 1.0, 32.0);
  clip.z += behind * clip.w;
  gl_Position = clip;
  shown = value;
  number = uint(gl_VertexID) + 1u;
}
