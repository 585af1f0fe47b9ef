//! Applications of any type.
use crate::{
    Application, Curve, Docs, Failure, Given, Need, Options, Run, Schema, Seen, Subject, Traits, Work,
};
use serde_json::{Map, Value};

/// Description of an application for interfaces.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// Its texts.
    pub docs: Docs,
    /// Its properties.
    pub traits: Traits,
    /// The schema of its options.
    pub schema: &'static Schema,
}

/// An application of any type; each [`Application`] is one.
pub trait AnyApplication: Sync {
    /// Its description.
    fn description(&self) -> Description;
    /// The connectivity that it needs with these options.
    ///
    /// # Errors
    /// Options are refused.
    fn need(&self, given: &Given) -> Result<Need, Failure>;
    /// Whether it takes long also for few faces with these options.
    ///
    /// # Errors
    /// Options are refused.
    fn long(&self, given: &Given) -> Result<bool, Failure>;
    /// Runs it.
    ///
    /// # Errors
    /// The mesh or an option is refused; out of memory; errors of the driver.
    fn run(
        &self,
        work: &mut Work,
        given: &Given,
        run: &mut Run<'_>,
    ) -> Result<Box<dyn Finished + '_>, Failure>;
}

/// A run that has ended.
pub trait Finished: Send {
    /// Its report.
    fn report(&self) -> Map<String, Value>;
    /// The target length of edges, if there is one.
    fn target_length(&self) -> Option<f64>;
    /// The curves that it has found.
    fn curves(&self) -> &[Curve];
    /// The verdict of a run that has only looked.
    fn verdict(&self) -> Option<&'static str>;
    /// Says the results, and returns entries of the report that need both meshes on the host.
    fn summarize(&self, seen: &Seen<'_>, run: &mut Run<'_>) -> Map<String, Value>;
}

/// A run of an application with its options and its report.
struct Done<'a, A: Application> {
    application: &'a A,
    options: A::Options,
    report: A::Report,
}

impl<A: Application> Finished for Done<'_, A> {
    fn report(&self) -> Map<String, Value> {
        // reports have no maps with other keys than text, so that this cannot fail
        match serde_json::to_value(&self.report).unwrap_or_default() {
            Value::Object(entries) => entries,
            value => Map::from_iter([("report".to_owned(), value)]),
        }
    }
    fn target_length(&self) -> Option<f64> {
        A::target_length(&self.report)
    }
    fn curves(&self) -> &[Curve] {
        A::curves(&self.report)
    }
    fn verdict(&self) -> Option<&'static str> {
        A::verdict(&self.report)
    }
    fn summarize(&self, seen: &Seen<'_>, run: &mut Run<'_>) -> Map<String, Value> {
        self.application.summarize(&self.options, &self.report, seen, run)
    }
}

impl<A: Application> AnyApplication for A {
    fn description(&self) -> Description {
        Description { name: A::NAME, docs: A::DOCS, traits: A::TRAITS, schema: A::Options::schema() }
    }
    fn need(&self, given: &Given) -> Result<Need, Failure> {
        Ok(A::need(&A::Options::from_given(given)?))
    }
    fn long(&self, given: &Given) -> Result<bool, Failure> {
        Ok(A::long(&A::Options::from_given(given)?))
    }
    fn run(
        &self,
        work: &mut Work,
        given: &Given,
        run: &mut Run<'_>,
    ) -> Result<Box<dyn Finished + '_>, Failure> {
        let options = A::Options::from_given(given)?;
        let report = Application::run(self, A::Subject::of(work)?, &options, run)?;
        Ok(Box::new(Done { application: self, options, report }))
    }
}
