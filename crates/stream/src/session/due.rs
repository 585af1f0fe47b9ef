//! When a frame is due to a client, and of which kind.

use super::{Answered, Due, Reply, Session, Wanted};
use crate::{Choice, Extent, Frame, Lacking, Mode, Refusal, Slice, answer};
use std::time::Duration;

impl Session {
    /// The frame that is due at this step: there is a credit, and the last frame was another one. Frames of
    /// triangles do not depend on the camera.
    pub fn due(&self, step: u64) -> Option<Due> {
        let wanted = self.wanted.filter(|_| self.credits > 0)?;
        let (query, view) = self.kept(wanted.query, wanted.view).ok()?;
        let is_fresh = self.answered.is_none_or(|last| {
            let same_view = match last.triangles {
                Some(slice) => slice == view.slice,
                None => last.view == wanted.view,
            };
            (last.query, last.choice, last.step) != (wanted.query, wanted.choice, step) || !same_view
        });
        is_fresh.then_some(Due { query, view, since: wanted.since })
    }

    /// Whether the frame that is due may be one of triangles.
    pub fn may_have_triangles(&self) -> bool {
        self.wanted.is_some_and(|wanted| wanted.choice != Choice::Points)
    }

    /// The parts that the frame that is due must have if it is one of triangles, of which there are so many;
    /// none if it is one of points. A choice of the session that is another one than before is told.
    /// # Errors
    /// A sentence for the client, which asks for triangles where there are none.
    pub fn choose(
        &mut self,
        extent: Option<&Extent>,
        step: u64,
    ) -> Result<(Option<Lacking>, Option<Reply>), String> {
        let choice = self.wanted.map_or(Choice::Points, |wanted| wanted.choice);
        let Some(extent) = extent else {
            return match choice {
                Choice::Triangles => Err("this source has no triangles".into()),
                Choice::Points | Choice::Automatic => Ok((None, None)),
            };
        };
        let lacking = Lacking {
            faces: self.has.is_none_or(|has| has.topology != extent.topology),
            places: self.has.is_none_or(|has| has.placement != extent.placement),
        };
        if choice == Choice::Triangles {
            return Ok((Some(lacking), None));
        }
        let moves = self.answered.is_some_and(|last| last.step != step);
        let (suits, because) = self.meter.suits(extent, lacking, moves, &self.limits);
        let mode = if suits { Mode::Geometry } else { Mode::Rixel };
        let is_new = self.told.replace(mode) != Some(mode);
        let reply = is_new.then(|| Reply::Text(answer::chosen(mode, &because)));
        Ok((suits.then_some(lacking), reply))
    }

    /// Makes the frame that is due the client's own: it costs a credit. After a frame of triangles the client
    /// has them.
    pub fn send(&mut self, mut frame: Frame, triangles: Option<Extent>, now: Duration) -> Option<Frame> {
        let wanted = self.wanted.filter(|_| self.credits > 0)?;
        self.credits -= 1;
        let slice = self.kept(wanted.query, wanted.view).ok().and_then(|(_, view)| view.slice);
        self.answer(frame.header.step, triangles.map(|_| slice));
        self.has = triangles.or(self.has);
        self.meter.sent(frame.len(), frame.header.mode, now);
        self.refused = None;
        (frame.header.query, frame.header.view) = (wanted.query, wanted.view);
        Some(frame)
    }

    fn answer(&mut self, step: u64, triangles: Option<Option<Slice>>) {
        let answered = |Wanted { query, view, choice, .. }| Answered { query, view, choice, step, triangles };
        self.answered = self.wanted.map(answered);
    }

    /// Bytes a second to the client, by the times at which credits came back; none before a frame of 16 KiB
    /// has arrived.
    pub fn rate(&self) -> Option<f64> {
        self.meter.rate()
    }

    /// Refuses the frame that is due: it cannot be made. The session asks for it again at the next step; the
    /// client is told once, until a frame can be made or the description changes.
    pub fn fail(&mut self, why: String, step: u64) -> Option<Reply> {
        let wanted = self.wanted?;
        self.answer(step, None);
        let of = Some((wanted.query, wanted.view, wanted.choice));
        if std::mem::replace(&mut self.refused, of) == of {
            return None;
        }
        let refusal = Refusal::Source(why);
        Some(Reply::Text(answer::refusal(&refusal, Some(("query", wanted.query)))))
    }
}
